// boardgame.io serving Limit, as its documentation shows: `node server.js memory` or `node server.js FOLDER`.
// It hardly checks a turn, and the turn brings its captures along, so this server has less to do than one with the rules.
'use strict';

const { FlatFile, Server } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');

const limit = {
  name: 'limit',
  minPlayers: 2,
  maxPlayers: 2,
  setup: (_, layout) => ({ tiles: layout }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, turn) => {
      const own = Number(playerID);
      if (turn.moved) {
        const [from, to] = turn.moved;
        if (G.tiles[from] !== own || G.tiles[to] !== null) return INVALID_MOVE;
      }
      for (const [tile, pawn] of Object.entries(turn.pawns)) {
        if (!(tile in G.tiles)) return INVALID_MOVE;
        G.tiles[tile] = pawn;
      }
      for (const tile of turn.gone) delete G.tiles[tile];
    },
  },
  endIf: ({ G }) => {
    const left = new Set(Object.values(G.tiles).filter((pawn) => pawn !== null));
    return left.size < 2 ? { winners: [...left] } : undefined;
  },
};

const store = process.argv[2];
const server = Server({
  games: [limit],
  origins: ['http://127.0.0.1'],
  ...(store === 'memory' ? {} : { db: new FlatFile({ dir: store }) }),
});
// Its API has no option for the address to listen on.
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, ready) => listen(port, '127.0.0.1', ready);
server.run({ port: 0 }).then(({ appServer }) => console.log(`ready ${appServer.address().port}`));
