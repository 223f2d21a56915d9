import type { AppError } from '#app/domain/errors.ts';

const REFUSALS: Partial<Record<AppError['code'], string>> = {
  halted: 'This workspace is halted. Nothing starts until it is released.',
  quota_exceeded: 'The executions of this plan are used up for this month.',
  invalid_input: 'The input does not fit.',
  unavailable: 'The service is not available right now. Try again in a few seconds.',
  not_found: 'There is no such run here.',
  forbidden: 'This key may not do that.',
  conflict: 'This is not possible as things stand: the workflow is paused, or the idempotency key was used with another input.',
};

/** The message of an expected failure for MCP and A2A callers, in English as protocols are. */
export function refusalText(error: AppError): string {
  if (error.values.what === 'queue') return `Too many runs wait for their start already. Try again in ${error.values.seconds} seconds.`;
  if (error.code === 'invalid_input' && error.values.fields !== undefined) return `The input does not fit: ${error.values.fields}.`;
  return REFUSALS[error.code] ?? 'Try again later.';
}
