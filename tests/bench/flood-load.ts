/** How late the event loop of the web server is while anonymous bodies arrive, fifty at once, on every kind of address that takes one. */
import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Line } from '#tests/bench/report.ts';
import type { ServerUnderTest } from '#tests/bench/server-under-test.ts';

const AT_ONCE = 50;
const ROUNDS = 3;
const LIMIT_MS = 50;
const FORM = 'application/x-www-form-urlencoded';

const fields = (count: number) => Array.from({ length: count }, (_, n) => `name${n % 10}=abc`).join('&');
const parts = (count: number) =>
  `${Array.from({ length: count }, (_, n) => `--cut\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`).join('')}--cut--\r\n`;
const PAGES = [
  '/dashboard/workflows/x/edit/json',
  '/dashboard/workflows/x/edit/json.data',
  '/auth?mode=sign-in',
  '/contact',
  '/newsletter',
];
const PROGRAMS = ['/api/v1/runs', '/mcp/x', '/a2a/x/y', '/hooks/0190c0de-0000-7000-8000-000000000000'];

const BODIES: readonly { what: string; paths: readonly string[]; body: string; type?: string }[] = [
  { what: '800,000 fields, 7.9 MB', paths: PAGES, body: fields(800_000) },
  { what: '110,000 fields, 1 MB', paths: PAGES, body: fields(110_000) },
  { what: '28,000 fields, 250 KB', paths: PAGES, body: fields(28_000) },
  { what: '1,000 fields of 250 KB, all allowed', paths: PAGES, body: `${fields(999)}&a=${'%41'.repeat(80_000)}` },
  { what: '1,000 parts, all allowed', paths: PAGES, body: parts(1_000), type: 'multipart/form-data; boundary=cut' },
  { what: '1 MB of nested JSON', paths: PROGRAMS, body: '['.repeat(1_000_000), type: 'application/json' },
  { what: '1 MB of flat JSON', paths: PROGRAMS, body: `[${'1,'.repeat(500_000)}1]`, type: 'application/json' },
];

/** Needs a server with TRUST_PROXY, so that each request comes from a place of its own and the budget of one place refuses none. */
export async function measureFlood(server: ServerUnderTest): Promise<Line[]> {
  const lines: Line[] = [];
  let place = 0;
  await server.resetLoop();
  await pause(3_000);
  const { loopP99: idle } = await server.readLoop();
  lines.push({ what: 'event loop p99 of the idle server', value: idle, unit: 'ms', limit: null, better: 'less' });
  for (const { what, paths, body, type = FORM } of BODIES) {
    let worst = 0;
    for (const path of paths) {
      const round = () => Promise.all(Array.from({ length: AT_ONCE }, () => post(server.origin, path, { body, type, place: ++place })));
      // The first answer of an address loads its code.
      await post(server.origin, path, { body, type, place: ++place });
      await server.resetLoop();
      for (let n = 0; n < ROUNDS; n += 1) await round();
      const { loopP99, loopMax, cpuMs } = await server.readLoop();
      const each = cpuMs / (AT_ONCE * ROUNDS);
      process.stdout.write(
        `  ${what} to ${path}: p99 ${loopP99.toFixed(1)} ms, longest ${loopMax.toFixed(1)} ms, CPU ${each.toFixed(1)} ms a request\n`,
      );
      worst = Math.max(worst, loopP99);
    }
    lines.push({ what: `event loop p99, 50 at once: ${what}`, value: worst, unit: 'ms', limit: LIMIT_MS, better: 'less' });
  }
  return lines;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

function post(origin: string, path: string, { body, type, place }: { body: string; type: string; place: number }): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = send(
      `${origin}${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': type,
          'content-length': Buffer.byteLength(body),
          host: new URL(origin).host.replace('127.0.0.1', 'localhost'),
          'x-forwarded-for': `10.${(place >> 16) & 255}.${(place >> 8) & 255}.${place & 255}`,
        },
      },
      (response) => response.resume().once('end', () => resolve()),
    );
    // Whoever floods does not mind an answer that came before the body had gone.
    outgoing.on('error', () => resolve());
    outgoing.end(body);
  });
}
