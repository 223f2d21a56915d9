import { ERROR_CODES, type ErrorCode } from '#app/domain/errors.ts';

/** Where programs call: they carry keys instead of cookies, use more methods, and may come from any page. */
const PROGRAM_PATH = /^\/(?:(?:api|mcp|a2a|hooks)\/|a2a$)/;
export const isProgramPath = (path: string): boolean => PROGRAM_PATH.test(path);

export const PROBLEM_TYPE = 'application/problem+json';

/** The body of RFC 9457 for a failure, in English, with a code of the closed list. */
export function problemBody(code: ErrorCode, detail: string, status: number = ERROR_CODES[code]) {
  const title = status === 405 ? 'method not allowed' : code.replaceAll('_', ' ');
  return { type: 'about:blank', title: `${title[0]?.toUpperCase()}${title.slice(1)}`, status, detail, code };
}
