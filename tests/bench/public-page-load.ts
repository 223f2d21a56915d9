import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Line } from '#tests/bench/report.ts';

const PREPARED = fileURLToPath(new URL('./prepared-answer.mjs', import.meta.url));
const CONNECTIONS = 16;
const ROUNDS = 5;
/** Any query but `lng` passes by what is kept: the same page, drawn for this request. */
const DRAWN = '/?drawn=anew';

/**
 * The start page as an anonymous browser gets it, kept and drawn again, beside node answering a prepared string of the size that the kept
 * page has on the wire. The three take turns in one run, over plain sockets, so that who asks costs little beside who answers.
 */
export async function measurePublicPage(origin: string, secondsEach: number): Promise<Line[]> {
  const { port } = new URL(origin);
  const size = await keptSize(origin);
  const prepared = fork(PREPARED, [String(size)]);
  try {
    const [preparedPort] = (await once(prepared, 'message')) as [number];
    const targets = {
      kept: { port: Number(port), path: '/' },
      drawn: { port: Number(port), path: DRAWN },
      prepared: { port: preparedPort, path: '/' },
    };
    const rates: Record<keyof typeof targets, number[]> = { kept: [], drawn: [], prepared: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ['prepared', 'kept', 'drawn'] as const) {
        const rate = await rateOf(targets[name], (secondsEach * 1_000) / ROUNDS);
        // The first round warms up.
        if (round > 0) rates[name].push(rate);
      }
    }
    const [kept, drawn, plain] = [median(rates.kept), median(rates.drawn), median(rates.prepared)];
    return [
      { what: 'start page, kept: against the same page drawn anew', value: kept / drawn, unit: '×', limit: 10, better: 'more' },
      { what: `  against node answering ${size} prepared bytes`, value: kept / plain, unit: '×', limit: 0.25, better: 'more' },
      { what: '  kept, requests a second', value: kept, unit: '', limit: null, better: 'more' },
      { what: '  drawn anew, requests a second', value: drawn, unit: '', limit: null, better: 'more' },
      { what: '  prepared bytes, requests a second', value: plain, unit: '', limit: null, better: 'more' },
    ];
  } finally {
    prepared.disconnect();
  }
}

async function keptSize(origin: string): Promise<number> {
  const { headers } = await fetch(origin, { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } });
  const size = Number(headers.get('Content-Length'));
  if (headers.get('ETag') === null || !(size > 0)) throw new Error('the start page is not kept');
  return size;
}

/** Requests a second that all connections together get answered, each asking again as soon as it has its answer. */
async function rateOf({ port, path }: { port: number; path: string }, ms: number): Promise<number> {
  const question = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nAccept: text/html\r\nAccept-Encoding: br\r\n\r\n`);
  const began = performance.now();
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => askFor(port, question, began + ms)));
  return (counts.reduce((sum, count) => sum + count, 0) / (performance.now() - began)) * 1_000;
}

function askFor(port: number, question: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(question));
    socket.setNoDelay(true);
    const answered = answerCounter(
      () => {
        count += 1;
        if (performance.now() < until) socket.write(question);
        else socket.end();
      },
      (why) => socket.destroy(new Error(why)),
    );
    socket.on('data', answered);
    socket.once('error', reject);
    socket.once('close', () => resolve(count));
  });
}

/** Finds where each answer ends: after Content-Length bytes, or with the last chunk. */
function answerCounter(onAnswer: () => void, onFault: (why: string) => void): (data: Buffer) => void {
  let head = '';
  let left: number | 'chunks' | null = null;
  return (data) => {
    let body = data;
    if (left === null) {
      head += data.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      if (!head.startsWith('HTTP/1.1 200')) return onFault(`answered ${head.slice(0, head.indexOf('\r'))}`);
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
      left = length === undefined ? 'chunks' : Number(length);
      body = data.subarray(data.length - (head.length - end - 4));
      head = '';
    }
    const done: boolean = left === 'chunks' ? body.subarray(-5).toString('latin1') === '0\r\n\r\n' : left === body.length;
    if (typeof left === 'number') left -= body.length;
    if (!done) return;
    left = null;
    onAnswer();
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
