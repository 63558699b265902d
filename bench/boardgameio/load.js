// Plays the matches given on standard input in a closed loop, and prints how long each turn took, as limina's own load
// does: a socket for each seat, the next turn when the one before came back.
'use strict';

const { io } = require('socket.io-client');

const read = async () => {
  let text = '';
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

const post = async (url, body) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const prepare = async (base, { layout, turns }) => {
  const { matchID } = await post(`${base}/games/limit/create`, { numPlayers: 2, setupData: layout, unlisted: true });
  const seats = [];
  for (const playerID of ['0', '1']) {
    const joined = await post(`${base}/games/limit/${matchID}/join`, { playerID, playerName: playerID });
    seats.push({ playerID, credentials: joined.playerCredentials });
  }
  return { matchID, seats, turns };
};

const sitDown = async (base, match) =>
  Promise.all(
    match.seats.map(
      ({ playerID, credentials }) =>
        new Promise((resolve, reject) => {
          const socket = io(`${base}/limit`, { transports: ['websocket'], forceNew: true, reconnection: false });
          socket.on('connect_error', reject);
          socket.on('connect', () => socket.emit('sync', match.matchID, playerID, credentials, 2));
          const seat = { socket, playerID, credentials, answered: null };
          socket.once('sync', (_, { state }) => resolve(Object.assign(seat, { state: state._stateID })));
          socket.on('patch', (_, before, after) => seat.answered?.(after));
          socket.on('update', (_, state) => seat.answered?.(state._stateID));
        }),
    ),
  );

const play = (seat, matchID, turn, stateID) =>
  new Promise((resolve) => {
    seat.answered = (after) => {
      // What the other seat did may still be on its way to this one.
      if (after <= stateID) return;
      seat.answered = null;
      resolve(after);
    };
    const { socket, playerID, credentials } = seat;
    const payload = { type: 'play', args: [turn], playerID, credentials };
    socket.emit('update', { type: 'MAKE_MOVE', payload }, stateID, matchID, playerID);
  });

const main = async () => {
  const { base, seconds, slots } = await read();
  const prepared = [];
  for (const slot of slots) {
    const matches = [];
    for (const match of slot) matches.push(await prepare(base, match));
    prepared.push(matches);
  }
  const first = [];
  for (const [match] of prepared) first.push(await sitDown(base, match));
  const times = [];
  const began = performance.now();
  const over = () => performance.now() - began > 1000 * seconds;
  await Promise.all(
    prepared.map(async (matches, slot) => {
      for (const [number, match] of matches.entries()) {
        const seats = number === 0 ? first[slot] : await sitDown(base, match);
        let stateID = seats[0].state;
        for (const { seat, turn } of match.turns) {
          const sent = performance.now();
          stateID = await play(seats[seat], match.matchID, turn, stateID);
          times.push(performance.now() - sent);
          if (over()) break;
        }
        for (const { socket } of seats) socket.close();
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
