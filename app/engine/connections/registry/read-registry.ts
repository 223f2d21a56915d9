import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import type { GuardedFetch } from '#app/contracts/ports.ts';
import type { RegistryReading, RegistryServer } from '#app/contracts/registry.ts';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { MOST_SERVERS, readRegistryPage } from '#app/engine/connections/registry/registry-answer.ts';

/** For all pages together. */
const TOTAL_MS = 20_000;
const PAGE = 100;
const MOST_PAGES = 20;

export type RegistryFailure =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'tooLarge'
  | 'redirected'
  | 'httpStatus'
  | 'unauthorized'
  | 'noRegistry'
  | 'noServers';

/** Why a registry could not be read. */
export class RegistryError extends Error {
  readonly failure: RegistryFailure;
  readonly status: number;
  constructor(failure: RegistryFailure, options: { cause?: unknown; status?: number } = {}) {
    super(`registry: ${failure}`, options);
    this.name = 'RegistryError';
    this.failure = failure;
    this.status = options.status ?? 0;
  }
}

type Registry = { address: string; privateNetwork: WorkspaceNetwork };

/**
 * Reads a registry that speaks the format of the MCP registry, page by page. An outgoing call: never inside a transaction.
 * @throws RegistryError where it cannot be read, or holds nothing that is a server
 */
export async function readRegistry(
  fetch: GuardedFetch,
  { address, privateNetwork }: Registry,
  totalMs = TOTAL_MS,
): Promise<RegistryReading> {
  const servers = new Map<string, RegistryServer>();
  const asked = new Set<string>();
  const signal = AbortSignal.timeout(totalMs);
  let refused = 0;
  let next: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const body = await ask(fetch, pageAddress(address, next), { privateNetwork, signal });
    const read = readRegistryPage(body);
    if (read === null) throw new RegistryError('noRegistry');
    refused += read.refused;
    for (const server of read.servers) if (!servers.has(server.name)) servers.set(server.name, server);
    next = read.next;
    // A list that leads back into itself has no end.
    if (next === null || asked.has(next) || servers.size > MOST_SERVERS) break;
    asked.add(next);
  }
  if (servers.size === 0) throw new RegistryError('noServers');
  return { servers: [...servers.values()].slice(0, MOST_SERVERS), refused, cut: servers.size > MOST_SERVERS || next !== null };
}

/** The list below the address of a registry, or the list itself where that is the address. */
function pageAddress(address: string, cursor: string | null): URL {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/servers') ? path : `${path}/v0/servers`;
  url.hash = '';
  url.searchParams.set('limit', String(PAGE));
  url.searchParams.set('version', 'latest');
  if (cursor !== null) url.searchParams.set('cursor', cursor);
  return url;
}

async function ask(fetch: GuardedFetch, url: URL, init: { privateNetwork: WorkspaceNetwork; signal: AbortSignal }): Promise<unknown> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, { ...init, headers: { accept: 'application/json' } });
    text = await answer.text();
  } catch (cause) {
    const failure = outgoingCallErrorIn(cause)?.failure;
    if (failure === undefined) throw cause;
    throw new RegistryError(FAILURES[failure] ?? 'unreachable', { cause });
  }
  if (answer.status === 401 || answer.status === 403) throw new RegistryError('unauthorized');
  if (answer.status !== 200) throw new RegistryError('httpStatus', { status: answer.status });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RegistryError('noRegistry', { cause });
  }
}

const FAILURES: Record<string, RegistryFailure> = {
  refused: 'refused',
  unreachable: 'unreachable',
  timeout: 'timeout',
  aborted: 'timeout',
  too_large: 'tooLarge',
  too_many_events: 'tooLarge',
  redirected: 'redirected',
};
