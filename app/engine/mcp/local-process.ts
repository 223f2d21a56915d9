import { tmpdir } from 'node:os';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** A process that nobody has spoken to for so long ends, and starts again with the next call. */
const IDLE_MS = 60_000;
/** The SDK hands these on beside HOME, PATH, SHELL and TERM; they say who runs this instance. */
const NAMELESS = { LOGNAME: '', USER: '' };

/**
 * A server that runs as a child of ours and speaks over its standard input and output. It gets no setting of this process, and what it writes
 * to its standard error is dropped. `release` after the last call lets it end once it is idle, or at once when it is retired.
 */
export class LocalProcess {
  readonly transport: StdioClientTransport;
  #calls = 0;
  #retired = false;
  #idle: NodeJS.Timeout | undefined;

  constructor([program = '', ...args]: readonly string[]) {
    this.transport = new StdioClientTransport({ command: program, args, stderr: 'ignore', cwd: tmpdir(), env: NAMELESS });
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

  /** Asks it to end, then makes it: resolves when it is gone. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    await this.transport.close();
  }
}
