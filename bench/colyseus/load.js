// The load for Colyseus: a socket for each seat; the next turn is sent when the last one was answered.
'use strict';

const { Client } = require('colyseus.js');
const { run } = require('../load.js');

const open = async (base, { layout }) => {
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

const play = (seats, seatIndex, turn) =>
  new Promise((resolve) => {
    const seat = seats[seatIndex];
    seat.answered = resolve;
    seat.room.send('play', turn);
  });

const leave = (seats) => {
  for (const { room } of seats) room.leave();
};

run({ open, play, leave });
