import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import mammoth from 'mammoth';
import { expect, test } from 'vitest';
import type { FlowBlock } from '#app/engine/documents/document-flow.ts';
import type { DocxAnswer } from '#app/engine/documents/docx-document.ts';
import { readerArguments, runInClosedProcess } from '#app/engine/documents/reading/closed-process.ts';
import type { ReadAnswer, ReadJob } from '#app/engine/documents/reading/reading-limits.ts';
import { manyRows, pdfOf, xlsxOf } from '#tests/support/documents/document-files.ts';

const signal = new AbortController().signal;
const readDocument = (job: ReadJob, until: AbortSignal) => runInClosedProcess<ReadAnswer>(job, until);

test('a file is read in a process of its own; one of too many rows ends there, and the next is read', async () => {
  const [many, pdf] = await Promise.all([
    readDocument({ name: 'a.xlsx', content: xlsxOf(manyRows(process.env.QUORATE_TEST_FULL ? 1_000_000 : 110_000)) }, signal),
    readDocument({ name: 'a.pdf', content: pdfOf(['Hello']) }, signal),
  ]);
  expect(pdf).toMatchObject({ ok: true, content: { text: 'Hello' } });
  expect(many).toMatchObject({ ok: false, key: expect.stringMatching(/^read(?:TooManyRows|TookTooLong|TooMuchMemory)$/) });
}, 120_000);

test('a file whose reading is given up leaves no process behind', async () => {
  const gone = new AbortController();
  const reading = readDocument({ name: 'a.pdf', content: pdfOf(['Hello']) }, gone.signal);
  gone.abort();
  await expect(reading).rejects.toThrow();
  expect(await readDocument({ name: 'a.txt', content: Buffer.from('x') }, signal)).toMatchObject({ ok: true });
}, 60_000);

test('code in the place of a library finds no way out of its thread', () => {
  const directory = mkdtempSync(join(tmpdir(), 'quorate-hostile-'));
  const close = pathToFileURL(join(import.meta.dirname, 'close-ways-out.ts')).href;
  writeFileSync(
    join(directory, 'hostile.mjs'),
    `import { createRequire } from 'node:module';
    const found = {};
    const ways = {
      fetch: () => typeof fetch('http://127.0.0.1:9/').catch(() => undefined),
      websocket: () => typeof new WebSocket('ws://127.0.0.1:9/'),
      require: () => createRequire(import.meta.url)('net'),
      builtin: () => process.getBuiltinModule('node:net'),
      import: () => import('node:net'),
      http: () => import('http'),
      process: () => import('node:process'),
      thread: () => import('node:worker_threads'),
      child: () => import('node:child_process'),
      binding: () => process.binding('tcp_wrap'),
      kill: () => process.kill(process.ppid),
      code: () => new Function('return 1')(),
      read: async () => (await import('node:fs')).readFileSync('/etc/passwd'),
      write: async () => (await import('node:fs')).writeFileSync(new URL('./written', import.meta.url), 'x'),
    };
    for (const [name, way] of Object.entries(ways)) {
      try { await way(); found[name] = true; } catch { found[name] = false; }
    }
    export default found;`,
  );
  writeFileSync(
    join(directory, 'main.mjs'),
    `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
    if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (found) => console.log(JSON.stringify(found)));
    else {
      const { closeWaysOut } = await import(${JSON.stringify(close)});
      closeWaysOut();
      parentPort.postMessage((await import('./hostile.mjs')).default);
    }`,
  );
  try {
    const options = readerArguments().slice(0, -1);
    const { stdout, stderr } = spawnSync(process.execPath, [...options, `--allow-fs-read=${directory}/*`, join(directory, 'main.mjs')], {
      env: {},
      encoding: 'utf8',
    });
    expect(stdout, stderr).not.toBe('');
    const found = JSON.parse(stdout);
    expect(Object.keys(found)).toHaveLength(14);
    expect(Object.entries(found).filter(([, open]) => open)).toEqual([]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 60_000);

test('a Word document is written there, reads as what it was made of, and has the same bytes whenever it is made', async () => {
  const flow: FlowBlock[] = [
    { kind: 'heading', level: 1, text: 'For <Zoë> & "Ada"' },
    { kind: 'paragraph', text: 'one\ntwo \u0000\ud800' },
    { kind: 'item', text: 'x' },
    { kind: 'list', items: ['y', 'مرحبا'] },
    {
      kind: 'table',
      head: ['item', 'price'],
      rows: [
        {
          name: null,
          cells: [
            { text: 'Desk', isNumber: false },
            { text: '480', isNumber: true },
          ],
        },
        { name: null, cells: [{ text: 'Lamp', isNumber: false }, null] },
      ],
    },
    { kind: 'table', head: null, rows: [{ name: 'due', cells: [{ text: 'May', isNumber: false }] }] },
  ];
  const write = async () => {
    const answer = await runInClosedProcess<DocxAnswer>({ docx: { title: 'Offer', flow } }, signal);
    if (!answer.ok) throw new Error(answer.key);
    return Buffer.from(answer.content);
  };
  const made = await write();
  const second = new Date().getSeconds();
  // An archive counts in steps of two seconds.
  await expect.poll(() => Math.abs(new Date().getSeconds() - second), { timeout: 5_000 }).toBeGreaterThan(2);
  expect((await write()).equals(made)).toBe(true);
  const { value: html, messages } = await mammoth.convertToHtml({ buffer: made });
  expect(messages).toEqual([]);
  expect(html).toBe(
    '<h1>For &lt;Zoë&gt; &amp; "Ada"</h1><p>one<br />two \ufffd\ufffd</p><ul><li>x</li><li>y</li><li>مرحبا</li></ul>' +
      '<table><thead><tr><th><p><strong>item</strong></p></th><th><p><strong>price</strong></p></th></tr></thead>' +
      '<tbody><tr><td><p>Desk</p></td><td><p>480</p></td></tr><tr><td><p>Lamp</p></td><td></td></tr></tbody></table>' +
      '<table><tr><td><p><strong>due</strong></p></td><td><p>May</p></td></tr></table>',
  );
  const read = await readDocument({ name: 'offer.docx', content: made }, signal);
  expect(read).toMatchObject({ ok: true, content: { kind: 'docx', text: expect.stringContaining('Desk') } });
}, 60_000);

test('a table too long for a Word document ends its process, and not ours', async () => {
  const row = { name: null, cells: Array.from({ length: 5 }, () => ({ text: 'some text', isNumber: false })) };
  const flow: FlowBlock[] = [{ kind: 'table', head: null, rows: Array.from({ length: 40_000 }, () => row) }];
  expect(await runInClosedProcess<DocxAnswer>({ docx: { title: 'Long', flow } }, signal)).toMatchObject({ ok: false });
  expect(await runInClosedProcess<DocxAnswer>({ docx: { title: 'Short', flow: [] } }, signal)).toMatchObject({ ok: true });
}, 60_000);
