/** The closed list of what can go wrong on purpose. Each edge maps a code once: HTTP, MCP, A2A, a sentence. */
export const ERROR_CODES = {
  not_found: 404,
  forbidden: 403,
  unauthenticated: 401,
  invalid_input: 400,
  conflict: 409,
  too_large: 413,
  halted: 423,
  over_limit: 429,
  quota_exceeded: 402,
  unavailable: 503,
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * An expected failure. `code` decides the status, `explanation` (key of the namespace `errors`) the sentence.
 * Anything thrown that is no AppError is a defect: it is logged under a reference id, and only that id is shown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly values: Record<string, string | number>;
  constructor(code: ErrorCode, options: { cause?: unknown; values?: Record<string, string | number>; message?: string } = {}) {
    super(options.message ?? code, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.values = options.values ?? {};
  }
  get status(): number {
    return ERROR_CODES[this.code];
  }
}
