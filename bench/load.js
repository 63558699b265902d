// What the loads of all servers that limina's is compared with share: the matches given on standard input are played in
// a closed loop, as limina's own load does, and how long each turn took is printed. Only how to sit down at a table, play
// a turn (until it is answered) and leave differs; `prepare`, where there is one, is done for all matches beforehand.
'use strict';

const read = async () => {
  let text = '';
  for await (const part of process.stdin) text += part;
  return JSON.parse(text);
};

const load = async ({ prepare = async (base, match) => match, sitDown, play, leave }) => {
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
        const table = number === 0 ? first[slot] : await sitDown(base, match);
        for (const { seat, turn } of match.turns) {
          const sent = performance.now();
          await play(table, seat, turn);
          times.push(performance.now() - sent);
          if (over()) break;
        }
        leave(table);
        if (over()) return;
      }
    }),
  );
  const taken = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.floor(times.length * part)];
  console.log(JSON.stringify({ speed: times.length / taken, median: at(0.5), p99: at(0.99), turns: times.length }));
};

exports.run = (server) =>
  load(server).then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
