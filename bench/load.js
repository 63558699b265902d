// The load for the servers that limina's server is compared with. It plays the matches of standard input in a closed loop,
// as bench/server_load.py does for limina, and prints the turns per second and the percentiles of the time for a turn. Each
// server brings its functions `open` (connect both seats), `play` (send a turn and wait for the answer) and `leave`, and
// perhaps `prepare`, which runs for all matches before the clock starts.
'use strict';

const readInput = async () => {
  let text = '';
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

const load = async ({ prepare = async (base, match) => match, open, play, leave }) => {
  const { base, seconds, slots } = await readInput();
  const prepared = [];
  for (const slot of slots) {
    const matches = [];
    for (const match of slot) matches.push(await prepare(base, match));
    prepared.push(matches);
  }
  const first = [];
  for (const [match] of prepared) first.push(await open(base, match));
  const times = [];
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt > 1000 * seconds;
  await Promise.all(
    prepared.map(async (matches, slot) => {
      for (const [index, match] of matches.entries()) {
        const connection = index === 0 ? first[slot] : await open(base, match);
        for (const { seat, turn } of match.turns) {
          const sentAt = performance.now();
          await play(connection, seat, turn);
          times.push(performance.now() - sentAt);
          if (isOver()) break;
        }
        leave(connection);
        if (isOver()) return;
      }
    }),
  );
  const elapsed = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const percentile = (share) => times[Math.floor(times.length * share)];
  console.log(JSON.stringify({ speed: times.length / elapsed, median: percentile(0.5), p99: percentile(0.99), turns: times.length }));
};

exports.run = (server) =>
  load(server).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
