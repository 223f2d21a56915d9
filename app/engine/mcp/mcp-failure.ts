import { type CallToolResult, ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { outgoingCallErrorIn } from '#app/domain/connections/outgoing-call-error.ts';
import { PeerError, peerErrorIn } from '#app/engine/connections/peer.ts';
import { failureOfOutgoingCall, failureOfStatus, garbage, quoted, timedOut } from '#app/engine/connections/peer-failure.ts';
import { UnstorableJsonError } from '#app/engine/connections/peer-json.ts';
import type { PeerTarget } from '#app/engine/connections/peer-target.ts';
import { textOf } from '#app/engine/mcp/mcp-output.ts';

/** A server that knew our session answers 404: it has forgotten it. */
export class SessionOverError extends Error {
  constructor(cause: unknown) {
    super('the session is over', { cause });
  }
}
export const isSessionOver = (error: unknown): error is SessionOverError => error instanceof SessionOverError;

/** The error that the tool itself returned. */
export function toolError(result: CallToolResult, name: string): PeerError {
  const text = textOf(result);
  if (/^(?:MCP error -32602|Input validation error)/.test(text)) {
    return new PeerError({ key: 'peerInputRefused', values: { capability: name, message: quoted(text) }, retryable: false });
  }
  return new PeerError({ key: 'peerToolError', values: { capability: name, message: quoted(text) }, retryable: true });
}

/** The child could not be started, or its streams are closed. */
export function isProcessOver(error: unknown): boolean {
  const lost: readonly SdkErrorCode[] = [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed];
  return SdkError.isInstance(error) ? lost.includes(error.code) : error instanceof Error && 'syscall' in error;
}

/** Why a call or a listing failed, by what the SDK, the fetch or the process threw. */
export function failureOf(error: unknown, timeoutMs: number, name: string, target: PeerTarget): PeerError {
  const known = peerErrorIn(error);
  if (known !== null) return known;
  if (target.command !== undefined && isProcessOver(error))
    return new PeerError({ key: 'peerProcessEnded', values: {}, retryable: true, happened: 'unknown' }, { cause: error });
  if (isSessionOver(error)) return failureOfStatus(404, error);
  const outgoing = outgoingCallErrorIn(error);
  if (outgoing !== null) return failureOfOutgoingCall(outgoing, timeoutMs);
  if (error instanceof UnstorableJsonError) return garbage('MCP', error);
  if (SdkHttpError.isInstance(error))
    return error.code === SdkErrorCode.ClientHttpUnexpectedContent ? garbage('MCP', error) : failureOfStatus(error.status, error);
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return timedOut(timeoutMs, error);
    if (error.code === SdkErrorCode.EraNegotiationFailed || error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion) {
      return new PeerError({ key: 'peerProtocolMismatch', values: { protocol: 'MCP' }, retryable: false }, { cause: error });
    }
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.SendFailed) {
      return new PeerError({ key: 'peerUnreachable', values: {}, retryable: true, happened: 'unknown' }, { cause: error });
    }
    return garbage('MCP', error);
  }
  if (ProtocolError.isInstance(error)) {
    if (error.code === ProtocolErrorCode.UnsupportedProtocolVersion) {
      return new PeerError({ key: 'peerProtocolMismatch', values: { protocol: 'MCP' }, retryable: false }, { cause: error });
    }
    if (/structured content|output schema/i.test(error.message)) {
      return new PeerError(
        { key: 'peerOutputInvalid', values: { capability: name, message: quoted(error.message) }, retryable: false, happened: 'unknown' },
        { cause: error },
      );
    }
    const refused = error.code === ProtocolErrorCode.InvalidParams;
    return new PeerError(
      {
        key: refused ? 'peerInputRefused' : 'peerToolError',
        values: { capability: name, message: quoted(error.message) },
        retryable: !refused,
      },
      { cause: error },
    );
  }
  return garbage('MCP', error);
}
