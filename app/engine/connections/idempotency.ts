/** Header, and name in `_meta` of MCP and `metadata` of A2A, under which a peer gets the key of a step. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const IDEMPOTENCY_METADATA = 'quorate/idempotencyKey';
