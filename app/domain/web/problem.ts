import { ERROR_CODES, type ErrorCode } from '#app/domain/errors.ts';

/** Where programs call: they carry keys instead of cookies, use more methods, and may come from any page. */
const PROGRAM_PATH = /^\/(?:(?:api|mcp|a2a|hooks|callbacks|log|scim|oauth)\/|a2a$)/;
export const isProgramPath = (path: string): boolean => PROGRAM_PATH.test(path);

const JSON_RPC_INTERNAL_ERROR = -32603;
export const PROBLEM_TYPE = 'application/problem+json';

/**
 * A failure of the service itself in the shape that the clients of this address read: JSON-RPC 2.0 where MCP and A2A speak it, and
 * google.rpc.Status for A2A over HTTP+JSON (A2A 1.0, section 11.6). Null: the address speaks no protocol of its own.
 */
export function protocolFailure(path: string, status: 500 | 503, message: string) {
  if (/^\/a2a\/[^/]+\/[^/]+\/rest\//.test(path))
    return { error: { code: status, status: status === 503 ? 'UNAVAILABLE' : 'INTERNAL', message, details: [] } };
  if (!/^\/(?:mcp\/[^/]+|a2a(?:\/[^/]+\/[^/]+)?)$/.test(path)) return null;
  return { jsonrpc: '2.0', id: null, error: { code: JSON_RPC_INTERNAL_ERROR, message } };
}

/** The body of RFC 9457 for a failure, in English, with a code of the closed list. */
export function problemBody(code: ErrorCode, detail: string, status: number = ERROR_CODES[code]) {
  const title = status === 405 ? 'method not allowed' : code.replaceAll('_', ' ');
  return { type: 'about:blank', title: `${title[0]?.toUpperCase()}${title.slice(1)}`, status, detail, code };
}
