import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The conformance suite of the protocol's makers, as its package has it. */
const SUITE = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace('package.json', 'dist/index.js');

export type Check = { scenario: string; id: string; status: string; errorMessage?: string };

/** Everything that a revision requires of a server, tried at `url`: one line a check. The suite's own verdict counts fixtures that no product has. */
function tryServer(url: string, revision: string): Promise<Check[]> {
  return checksOf(['server', '--url', url, '--requirements', revision]);
}

/** What a server can be held to without the suite's own tools, prompts and resources. */
export const HELD = {
  '2026-07-28': [
    ...['server-stateless', 'tools-list', 'dns-rebinding-protection', 'http-header-validation', 'server-sse-multiple-streams'],
    ...['sep-2164-resource-not-found', 'input-required-result-unsupported-methods', 'input-required-result-validate-input'],
    ...['input-required-result-missing-input-response', 'input-required-result-ignore-extra-params'],
  ],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
};

/** Holds a server to these scenarios. */
export async function expectHeld(url: string, revision: string, held: readonly string[]): Promise<void> {
  const checks = await tryServer(url, revision);
  for (const scenario of held) expect(checks.filter((check) => check.scenario === scenario && check.status === 'SUCCESS')).not.toEqual([]);
  const failed = checks.filter(({ scenario, status }) => held.includes(scenario) && status === 'FAILURE');
  // three tools of the suite's own stand behind four of these checks
  expect(failed.filter(({ errorMessage = '' }) => !errorMessage.includes('Not testable'))).toEqual([]);
  expect(failed.length).toBeLessThanOrEqual(4);
}

/** One scenario in which our own client of MCP meets a server of the suite's, at the wire of this revision; those of OAuth begin with `auth/`. */
export function tryClient(scenario: string, revision: string): Promise<Check[]> {
  const program = scenario.startsWith('auth/') ? 'conformance-sign-in-process.ts' : 'conformance-client-process.ts';
  const client = fileURLToPath(new URL(`./${program}`, import.meta.url));
  const command = `${process.execPath} --disable-warning=ExperimentalWarning ${client}`;
  return checksOf(['client', '--command', command, '--scenario', scenario, '--spec-version', revision]);
}

async function checksOf(args: readonly string[]): Promise<Check[]> {
  const directory = await mkdtemp(join(tmpdir(), 'quorate-conformance-'));
  try {
    const child = spawn(process.execPath, [SUITE, ...args, '-o', directory], { stdio: 'ignore' });
    await once(child, 'exit');
    const checks: Check[] = [];
    // Names of scenarios may have a slash: then their folder is one below another.
    const files = (await readdir(directory, { recursive: true })).filter((file) => basename(file) === 'checks.json');
    for (const file of files) {
      const folder = dirname(file);
      const scenario = /^(?:server-)?(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
      const found = JSON.parse(await readFile(join(directory, file), 'utf8')) as Omit<Check, 'scenario'>[];
      for (const { id, status, errorMessage } of found)
        checks.push({ scenario, id, status, ...(errorMessage === undefined ? {} : { errorMessage }) });
    }
    return checks;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** An address without a key for a tool that can send none. Host and Origin stay as the tool made them. */
export async function startBearerProxy(target: URL, key: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${key}` };
    const onward = request({ host: target.hostname, port: target.port, path: target.pathname, method: from.method, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
