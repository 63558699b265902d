// Colyseus serving Limit, as its documentation shows: `node server.js`. As with boardgame.io, a turn brings its changes
// along and the server applies them; nothing is saved. It sends a patch after every turn instead of at an interval.
'use strict';

const { Room, Server } = require('@colyseus/core');
const { MapSchema, Schema, defineTypes } = require('@colyseus/schema');
const { WebSocketTransport } = require('@colyseus/ws-transport');

const EMPTY = -1;

class Board extends Schema {
  constructor() {
    super();
    this.tiles = new MapSchema();
    this.turn = 0;
  }
}
defineTypes(Board, { tiles: { map: 'int8' }, turn: 'int16' });

class Limit extends Room {
  onCreate({ layout }) {
    this.maxClients = 2;
    this.autoDispose = true;
    this.setPatchRate(null);
    const board = new Board();
    for (const [tile, pawn] of Object.entries(layout)) board.tiles.set(tile, pawn ?? EMPTY);
    this.state = board;
    this.onMessage('play', (client, turn) => this.play(client, turn));
  }

  onJoin(client, { seat }) {
    client.userData = { seat };
  }

  play(client, { moved, pawns, gone }) {
    const { tiles, turn } = this.state;
    if (moved && (tiles.get(String(moved[0])) !== client.userData.seat || tiles.get(String(moved[1])) !== EMPTY)) {
      client.send('refused', turn);
      return;
    }
    for (const [tile, pawn] of Object.entries(pawns)) tiles.set(tile, pawn ?? EMPTY);
    for (const tile of gone) tiles.delete(String(tile));
    this.state.turn += 1;
    this.broadcastPatch();
    client.send('played', this.state.turn);
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define('limit', Limit);
server.listen(0, '127.0.0.1').then(() => console.log(`ready ${transport.server.address().port}`));
