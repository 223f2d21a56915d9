import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { vkey } from '#app/domain/audit/checkpoint.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { openSuccession } from '#app/witness/open-succession.ts';
import { readLogKey } from '#app/witness/read-request.ts';

const signer = createLogSigner('secret', 'log.test', ['one', 'two']);
const keys = [...signer.older, signer].map(({ publicKey }) => readLogKey(vkey('log.test', publicKey, sha256))?.id);
const [first = '', second = ''] = signer.successions;
const other = createLogSigner('secret', 'log.test', ['another']).successions[0] ?? '';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quorate-succession-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = async () => {
  const given = readLogKey(vkey('log.test', signer.older[0]?.publicKey ?? new Uint8Array(), sha256));
  if (given === null) throw new Error('no key');
  return await openSuccession(folder, [given]);
};
const idOf = ({ logs }: Awaited<ReturnType<typeof open>>) => logs()[0]?.id;

test('a witness follows each succession once, and knows it after a restart', async () => {
  const kept = await open();
  expect((await kept.add(second)).status).toBe(403);
  for (const note of [first, first, second]) expect((await kept.add(note)).status).toBe(200);
  expect(idOf(kept)).toBe(keys[2]);
  // neither a key that has been followed nor another follower of it
  for (const note of [first, other]) expect((await kept.add(note)).status).toBe(403);
  expect(idOf(await open())).toBe(keys[2]);
});

test('a succession that lacks a signature, or has one that does not hold, is refused', async () => {
  const kept = await open();
  const lines = first.split('\n');
  const without = (line: number) => lines.filter((_, n) => n !== line).join('\n');
  const otherLines = other.split('\n');
  const mixed = (line: number) => lines.map((text, n) => (n === line ? (otherLines[n] ?? '') : text)).join('\n');
  for (const note of [without(4), without(5), mixed(4), mixed(5), mixed(2)]) expect((await kept.add(note)).status).toBe(403);
  for (const note of ['', 'quorate-succession/1\n', without(0), without(1)]) expect((await kept.add(note)).status).toBe(400);
  expect(idOf(kept)).toBe(keys[0]);
});
