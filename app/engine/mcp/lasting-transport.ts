import { tmpdir } from 'node:os';
import { SSEClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A connection that was silent for this long is closed, and opened again for the next call. */
const IDLE_MS = 60_000;
/** The SDK hands these on beside HOME, PATH, SHELL and TERM; they say who runs this instance. */
const NAMELESS = { LOGNAME: '', USER: '' };

/**
 * A server that runs as a child of ours and speaks over its standard input and output. It gets no setting of this process, and what it writes
 * to its standard error is dropped.
 */
export function processTransport([program = '', ...args]: readonly string[]): StdioClientTransport {
  return new StdioClientTransport({ command: program, args, stderr: 'ignore', cwd: tmpdir(), env: NAMELESS });
}

/** A server of 2024 that answers on one long stream. Its own words say where calls go; `fetchPeer` sends the credential to no other origin. */
export function streamTransport(url: URL, fetchPeer: typeof fetch): SSEClientTransport {
  return new SSEClientTransport(url, { fetch: fetchPeer });
}

/**
 * A transport that costs something for as long as it is open: a process or a stream. `release` after the last call lets it end once it is
 * idle, or at once when it is retired.
 */
export class LastingTransport {
  readonly transport: Transport;
  #calls = 0;
  #retired = false;
  #idle: NodeJS.Timeout | undefined;
  #ended: Promise<void> | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  hold(): void {
    this.#calls += 1;
    clearTimeout(this.#idle);
  }

  release(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    if (this.#retired) void this.end();
    else this.#idle = setTimeout(() => void this.end(), IDLE_MS).unref();
  }

  /** No new call comes to it. */
  retire(): void {
    this.#retired = true;
    if (this.#calls === 0) void this.end();
  }

  /** A process is asked to end, then made to: resolves when it is gone. */
  end(): Promise<void> {
    clearTimeout(this.#idle);
    // Closing calls back into this function: the promise must be set before.
    this.#ended ??= Promise.resolve().then(() => this.transport.close());
    return this.#ended;
  }
}
