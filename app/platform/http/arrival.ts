import { randomBytes, randomUUID } from 'node:crypto';
import type { Request } from 'express';

/** The facts about a request before any route has run. */
export type Arrival = {
  requestId: string;
  nonce: string;
  /** Address of the other end, as far as `TRUST_PROXY` lets it be known. */
  address: string;
  /** True when the person's own connection is encrypted. */
  secure: boolean;
  /** The Host header as it came. */
  host: string;
  socketAddress: string;
  /** True when a proxy says that it stood between. */
  forwarded: boolean;
};

const PROXY_HEADERS = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

export function arrivalOf(request: Request, secure: boolean): Arrival {
  const socketAddress = request.socket.remoteAddress ?? '';
  return {
    requestId: randomUUID(),
    nonce: randomBytes(16).toString('base64'),
    address: request.ip ?? socketAddress,
    secure,
    host: request.headers.host ?? '',
    socketAddress,
    forwarded: Object.keys(request.headers).some((name) => PROXY_HEADERS.test(name)),
  };
}
