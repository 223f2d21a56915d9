import type { AuditAction } from '#app/contracts/audit-actions.ts';
import type { Verdict } from '#app/contracts/statuses.ts';
import type { ControlId } from '#app/domain/audit/compliance.ts';

/** Ways in which a record of a pack is out of the ordinary. They are for the auditor to look at; a denial is a control at work. */
export const PACK_EXCEPTIONS = ['denied', 'warned', 'overridden', 'alone', 'failed', 'late', 'afterAct'] as const;
export type PackException = (typeof PACK_EXCEPTIONS)[number];

/** Of each control a pack draws so many records at most. */
export const PACK_SAMPLE = 25;

/** One record of the population: a decision of policies on a call, or an entry of the log. */
export type PackRecord = {
  kind: 'decision' | 'entry';
  id: string;
  /** UTC, ISO 8601, milliseconds. */
  at: string;
  /** Verdict of the decision, or action of the entry. */
  what: string;
  shows: 'decision' | 'approval' | 'denial' | 'other';
  by: string | null;
  about: { kind: string; id: string; name: string | null };
  run: string | null;
  /** Place in the log; null for a decision, which the entry that closes its run binds. */
  place: number | null;
  /** Whether it stood before the act; null where no act followed, or none yet. */
  before: boolean | null;
  exceptions: PackException[];
  breakGlass: boolean;
  controls: ControlId[];
};

/** The entries of the log that show a control at work. A control without any shows itself in decisions, or by its own screen. */
export const CONTROL_ACTIONS: Record<ControlId, readonly AuditAction[]> = {
  policies: ['policy.created', 'policy.draftSaved', 'policy.published', 'policy.activated', 'policy.paused'],
  oversight: [
    'approval.requested',
    'approval.voted',
    'approval.approved',
    'approval.rejected',
    'approval.expired',
    'approval.withdrawn',
    'approval.escalated',
  ],
  separation: [
    ...(['change.requested', 'change.rejected', 'change.expired', 'change.withdrawn'] as const),
    ...(['policy.published', 'policy.activated', 'policy.paused', 'workflow.published', 'agent.published'] as const),
    ...(['member.rolesRequested', 'member.rolesChanged', 'member.rolesRefused', 'member.rolesWithdrawn', 'member.removed'] as const),
    ...(['breakGlass.started', 'breakGlass.ended', 'workspace.configured'] as const),
  ],
  personalData: ['connection.personalDataAllowed', 'connection.personalDataForbidden', 'account.deleted'],
  explained: [],
  log: ['run.completed', 'run.failed', 'run.cancelled', 'log.accepted', 'log.keyRotated'],
  checkpointsLeave: ['watcher.disagreed', 'watcher.failed', 'watcher.recovered', 'delivery.sentAgain'],
  definitions: ['capability.approved', 'capability.withdrawn'],
  thirdParties: [
    ...(['connection.created', 'connection.connected', 'connection.installed', 'connection.builtinAdded'] as const),
    ...(['connection.disconnected', 'connection.checked', 'connection.checkFailed'] as const),
    ...(['registry.added', 'registry.refreshed', 'registry.removed'] as const),
  ],
  operation: ['connection.checked', 'connection.checkFailed', 'run.failed'],
  incidents: ['run.failed', 'watcher.disagreed', 'breakGlass.started', 'workspace.halted'],
  stop: ['workspace.halted', 'workspace.released', 'run.cancelRequested', 'run.cancelled'],
  keys: ['apiKey.created', 'apiKey.revoked', 'connection.keyRotated'],
};

/** The facts of an entry beside its action. `separated`: false where one person asked and decided. `agreed`: another person's answer. */
export type EntryFacts = { action: string; separated: boolean; agreed: boolean; before: boolean | null };

const ENTRY_EXCEPTIONS: Partial<Record<AuditAction, PackException>> = {
  'approval.rejected': 'denied',
  'change.rejected': 'denied',
  'member.rolesRefused': 'denied',
  'approval.expired': 'late',
  'change.expired': 'late',
  'run.failed': 'failed',
  'connection.checkFailed': 'failed',
  'watcher.failed': 'failed',
  'watcher.disagreed': 'failed',
  'breakGlass.started': 'overridden',
};

/** The judgement on an entry: what it shows, and what is out of the ordinary about it. */
export function judgeEntry({ action, separated, agreed, before }: EntryFacts): Pick<PackRecord, 'shows' | 'before' | 'exceptions'> {
  const exception = ENTRY_EXCEPTIONS[action as AuditAction];
  const denies = exception === 'denied';
  const approves = !denies && (action === 'approval.approved' || agreed);
  return {
    shows: denies ? 'denial' : approves ? 'approval' : 'other',
    // The answer of the other person makes the change: it is there before the change is.
    before: agreed && approves ? true : before,
    exceptions: [
      ...(exception === undefined ? [] : [exception]),
      ...(separated ? [] : (['alone'] as const)),
      ...(before === false ? (['afterAct'] as const) : []),
    ],
  };
}

/** The facts of a decision beside its verdict. */
export type DecisionFacts = {
  verdict: Verdict;
  /** Key of its reason. */
  reason: string;
  personalData: boolean;
  /** An approval belongs to the step. */
  approval: boolean;
  before: boolean | null;
};

/** The judgement on a decision. */
export function judgeDecision({ verdict, before }: DecisionFacts): Pick<PackRecord, 'shows' | 'before' | 'exceptions'> {
  return {
    shows: verdict === 'deny' ? 'denial' : 'decision',
    before,
    exceptions: [
      ...(verdict === 'deny' ? (['denied'] as const) : verdict === 'warn' ? (['warned'] as const) : []),
      ...(before === false ? (['afterAct'] as const) : []),
    ],
  };
}

/** The controls, among those given, that a record shows at work. */
export function controlsOfEntry(action: string, among: readonly ControlId[]): ControlId[] {
  return among.filter((control) => (CONTROL_ACTIONS[control] as readonly string[]).includes(action));
}

export function controlsOfDecision(facts: DecisionFacts, among: readonly ControlId[]): ControlId[] {
  const shown: Partial<Record<ControlId, boolean>> = {
    policies: true,
    explained: true,
    oversight: facts.verdict === 'require_approval' || facts.approval,
    personalData: facts.personalData,
    definitions: facts.reason === 'policyCapabilityNotApproved',
    incidents: facts.verdict === 'deny' || facts.verdict === 'warn',
  };
  return among.filter((control) => shown[control] === true);
}
