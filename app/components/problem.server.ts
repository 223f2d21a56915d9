import { AppError, type ErrorCode } from '#app/domain/errors.ts';

/** What programs are told of a failure: RFC 9457, in English, with a code of the closed list. */
export function problem(code: ErrorCode, detail: string, more: { status?: number; headers?: Record<string, string> } = {}): Response {
  const status = more.status ?? new AppError(code).status;
  const title = code.replaceAll('_', ' ');
  return Response.json(
    { type: 'about:blank', title: `${title[0]?.toUpperCase()}${title.slice(1)}`, status, detail, code },
    { status, headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...more.headers } },
  );
}

const DETAILS: Record<ErrorCode, string> = {
  not_found: 'There is no such thing here, or this key may not see it.',
  forbidden: 'This key may not do that.',
  unauthenticated: 'This API key is unknown, over or revoked.',
  invalid_input: 'The input does not fit.',
  conflict: 'This is not possible as things stand.',
  halted: 'This workspace is halted. Nothing starts until it is released.',
  over_limit: 'Too many calls.',
  quota_exceeded: 'The executions of this plan are used up for this month.',
  unavailable: 'Try again later.',
};

/** The sentence for an expected failure. */
export function detailOf(error: AppError): string {
  if (error.values.what === 'paused') return 'This workflow is paused.';
  if (error.values.what === 'idempotencyKey') return 'This Idempotency-Key was used for a start with another body.';
  if (error.code === 'invalid_input' && error.values.fields !== undefined) return `The input does not fit: ${error.values.fields}.`;
  if (error.values.what === 'workflows') return `The ${error.values.limit} workflows of this plan are made.`;
  return DETAILS[error.code];
}

/** Expected failures of `work` as problems; a defect is thrown on. */
export async function withProblems(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return problem(error.code, detailOf(error), error.code === 'unavailable' ? { headers: { 'Retry-After': '30' } } : {});
  }
}
