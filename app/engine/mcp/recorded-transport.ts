import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { recordMessage } from '#app/engine/connections/frames.ts';

/**
 * A line to a process, whose messages go into the frames of the call that sends them. What comes back belongs to no call on its own: its id
 * says to which message it is the answer.
 */
export class RecordedTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #inner: Transport;
  readonly #url: string;
  readonly #unanswered = new Map<string | number, (answer: string) => void>();

  constructor(inner: Transport, url: string) {
    this.#inner = inner;
    this.#url = url;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      this.#answer(message);
      this.onmessage?.(message, extra);
    };
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: Parameters<Transport['send']>[1]): Promise<void> {
    if ('method' in message) {
      const answered = recordMessage({ method: message.method, url: this.#url, body: JSON.stringify(message) });
      if (answered !== null && 'id' in message) this.#unanswered.set(message.id, answered);
    }
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    this.#unanswered.clear();
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  #answer(message: JSONRPCMessage): void {
    if ('method' in message || message.id === undefined) return;
    this.#unanswered.get(message.id)?.(JSON.stringify(message));
    this.#unanswered.delete(message.id);
  }
}
