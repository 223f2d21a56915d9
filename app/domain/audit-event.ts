import type { Json } from '#app/domain/tables.ts';

/** What a command says of itself for the log; who, when and where come from the transaction. */
export type AuditEntry = {
  /** Noun and past participle: `workflow.published`, `approval.rejected`. A key of the namespace `audit` has its words. */
  action: string;
  resource: { kind: string; id: string; name?: string };
  payload?: { [key: string]: Json };
};
