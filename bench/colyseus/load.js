// Plays the matches given on standard input in a closed loop, and prints how long each turn took, as limina's own load
// does: a socket for each seat, the next turn when the one before was answered.
'use strict';

const { Client } = require('colyseus.js');

const read = async () => {
  let text = '';
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

const sitDown = async (base, { layout }) => {
  const client = new Client(base);
  const first = await client.create('limit', { layout, seat: 0 });
  const rooms = [first, await client.joinById(first.roomId, { seat: 1 })];
  return rooms.map((room) => {
    const seat = { room, answered: null };
    room.onMessage('played', () => seat.answered());
    room.onMessage('refused', (turn) => {
      console.error(`turn ${turn} was refused`);
      process.exit(1);
    });
    return seat;
  });
};

const play = (seat, turn) =>
  new Promise((resolve) => {
    seat.answered = resolve;
    seat.room.send('play', turn);
  });

const main = async () => {
  const { base, seconds, slots } = await read();
  const first = [];
  for (const [match] of slots) first.push(await sitDown(base, match));
  const times = [];
  const began = performance.now();
  const over = () => performance.now() - began > 1000 * seconds;
  await Promise.all(
    slots.map(async (matches, slot) => {
      for (const [number, match] of matches.entries()) {
        const seats = number === 0 ? first[slot] : await sitDown(base, match);
        for (const { seat, turn } of match.turns) {
          const sent = performance.now();
          await play(seats[seat], turn);
          times.push(performance.now() - sent);
          if (over()) break;
        }
        for (const { room } of seats) room.leave();
        if (over()) return;
      }
    }),
  );
  const taken = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(times.length * part)];
  console.log(JSON.stringify({ speed: times.length / taken, median: at(0.5), p99: at(0.99), turns: times.length }));
};

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
