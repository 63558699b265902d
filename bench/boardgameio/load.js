// The load for boardgame.io: a socket for each seat; the next turn is sent when the last one was answered.
'use strict';

const { io } = require('socket.io-client');
const { run } = require('../load.js');

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

const open = async (base, { matchID, seats }) => {
  const sockets = await Promise.all(
    seats.map(
      ({ playerID, credentials }) =>
        new Promise((resolve, reject) => {
          const socket = io(`${base}/limit`, { transports: ['websocket'], forceNew: true, reconnection: false });
          socket.on('connect_error', reject);
          socket.on('connect', () => socket.emit('sync', matchID, playerID, credentials, 2));
          const seat = { socket, playerID, credentials, answered: null };
          socket.once('sync', (_, { state }) => resolve(Object.assign(seat, { state: state._stateID })));
          socket.on('patch', (_, before, after) => seat.answered?.(after));
          socket.on('update', (_, state) => seat.answered?.(state._stateID));
        }),
    ),
  );
  return { matchID, seats: sockets, stateID: sockets[0].state };
};

const play = (connection, seatIndex, turn) =>
  new Promise((resolve) => {
    const { matchID, stateID } = connection;
    const seat = connection.seats[seatIndex];
    seat.answered = (after) => {
      // An update about the other seat's turn may arrive first.
      if (after <= stateID) return;
      seat.answered = null;
      connection.stateID = after;
      resolve();
    };
    const { socket, playerID, credentials } = seat;
    const payload = { type: 'play', args: [turn], playerID, credentials };
    socket.emit('update', { type: 'MAKE_MOVE', payload }, stateID, matchID, playerID);
  });

const leave = ({ seats }) => {
  for (const { socket } of seats) socket.close();
};

run({ prepare, open, play, leave });
