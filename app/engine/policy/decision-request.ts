import type { CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { z } from 'zod';
import { CONNECTION_KINDS } from '#app/contracts/connection-kind.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import { ROLES } from '#app/contracts/people.ts';
import { RISKS, type Verdict } from '#app/contracts/statuses.ts';
import type { FieldChange } from '#app/domain/audit/field-change.ts';
import { type Deciders, type Proof, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import type { KeptInput } from '#app/engine/policy/inputs/input-facts.ts';

const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The circumstances of a call. */
export const circumstancesSchema = z.object({
  workflow: z.object({ id: z.string().min(1), name: z.string() }),
  /** Name of the workspace's own agent that makes the call; empty: a step of the workflow itself. */
  agent: z.string(),
  requesterIsAuthor: z.boolean(),
  /** Host of the connection; empty: built in. */
  host: z.string(),
  /** `at`: ISO 8601 in UTC; the others as the clocks of `zone` show them. */
  time: z.object({
    at: z.iso.datetime(),
    zone: z.string().min(1),
    weekday: z.enum(WEEKDAYS),
    date: z.iso.date(),
    hour: z.number().int().min(0).max(23),
  }),
  /** Of the run so far: calls made, and millionths of a US dollar. */
  callsInRun: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  costInRunMicros: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  approvalsInRun: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** SHA-256 (hex) of whom the input names as its payee, in this workspace; null: nobody. */
  payee: z.string().nullable().optional(),
  /** What lies outside the run. Read where a policy in force asks for it. */
  outside: z
    .object({
      /** As in the directory. */
      groups: z.array(z.string()),
      callsToday: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      costTodayMicros: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
      callsToPayee: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    })
    .optional(),
});
export type Circumstances = z.infer<typeof circumstancesSchema>;

/** A request for a decision before a call: facts and names, never the payload. */
export const decisionRequestSchema = z.object({
  workspaceId: z.string().min(1),
  runId: z.string().min(1),
  mode: z.enum(['live', 'test']),
  initiator: z.object({ id: z.string().min(1), roles: z.array(z.enum(ROLES)).readonly() }),
  action: z.enum(['call_tool', 'call_agent', 'call_model']),
  connection: z.object({
    id: z.string().min(1),
    slug: z.string(),
    kind: z.enum(CONNECTION_KINDS),
    personalDataAllowed: z.boolean(),
    builtin: z.boolean(),
  }),
  capability: z.object({
    id: z.string().min(1),
    name: z.string(),
    kind: z.enum(['tool', 'skill', 'model']),
    state: z.enum(['pending', 'approved', 'changed', 'removed']),
  }),
  facts: z.object({
    /** Kinds of personal data found in the input, as the detector names them. */
    personalData: z.array(z.string()).readonly(),
    risk: z.enum(RISKS),
    findings: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  }),
  /** The tool that is called, and the parts of its input that the rules which name it compare. Null: no rule names it. */
  input: z
    .object({
      action: z.string().min(1),
      record: z.custom<CedarValueJson>(isRecord),
      paths: z.array(z.array(z.string()).readonly()).readonly(),
    })
    .nullable(),
  /** Null only of a decision that was made before these were kept: a rule that asks for one of them then refuses. */
  circumstances: circumstancesSchema.nullable(),
  /** The approval of exactly this call, once it is approved. */
  approval: z.object({ id: z.string().min(1), approvedBy: z.array(z.string().min(1)).readonly() }).optional(),
});
export type DecisionRequest = z.infer<typeof decisionRequestSchema>;

/**
 * The demands of rules on an approval. `dueHours` null: the usual time. `role`: the one that decides in place of approvers. `groups`: of the directory; who
 * decides is in each of them. `reauthenticate`: how they prove that it is them, whatever the risk.
 */
export type ApprovalTerms = { quorum: number; dueHours: number | null; role?: Deciders; groups?: string[]; reauthenticate?: Proof };

/** A rule that determined a decision, as `quorate.decisions.rules` keeps it. `version` 0: built into the engine. */
export type DecisionRule = { policyId: string; policyName: string; version: number; rule: string; verdict: Verdict };

export type DecisionResult = {
  verdict: Verdict;
  /** Of the approval that is required; absent where the usual ones apply. */
  terms?: ApprovalTerms;
  rules: DecisionRule[];
  /** What rules change in the input before it is sent, and which; absent where none does. */
  changes?: { change: FieldChange; rule: DecisionRule }[];
  reason: Explanation;
  /** The request as `quorate.decisions.context` keeps it; null: it was incomplete. */
  context: {
    mode: string;
    initiatorId: string;
    roles: string[];
    connection: string;
    connectionId: string;
    capability: string;
    capabilityId: string;
    capabilityState: string;
    personalDataAllowed: boolean;
    builtin: boolean;
    personalData: string[];
    risk: string;
    findings: number;
    /** Absent from the decisions that were made before these were kept. */
    circumstances?: Circumstances | null;
    /** Rules in monitor mode that would have applied; absent where none would. */
    monitored?: DecisionRule[];
    /** The fields of the input that rules compared, without personal data; absent where none did. */
    input?: KeptInput;
    /** What rules changed in the input before it was sent, and the digests of the action before and after; absent where none did. */
    changed?: { before: string; after: string; fields: FieldChange[] };
    approvalId: string | null;
    approvedBy: string[];
  } | null;
  policyVersion: string;
};
