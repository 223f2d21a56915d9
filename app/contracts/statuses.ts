/** The words for the states of things. Screens, API and database use the same ones. */
export const ARTIFACT_STATUSES = ['inactive', 'pending', 'active'] as const;
export type ArtifactStatus = (typeof ARTIFACT_STATUSES)[number];

export const CONNECTION_STATUSES = ['pending', 'connected', 'disconnected', 'error'] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

export const RUN_STATUSES = ['pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Of a replay of past decisions. */
export type ReplayStatus = Exclude<RunStatus, 'waiting'>;

export const STEP_STATUSES = ['pending', 'processing', 'waiting', 'success', 'error', 'skipped'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export const STEP_KINDS = [
  'tool',
  'agent',
  'model',
  'http',
  'approval',
  'branch',
  'for_each',
  'repeat',
  'transform',
  'wait',
  'try',
  'sub_workflow',
  'message',
  'cleanup',
  'human_task',
  'create_document',
  'read_document',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];
/** `done` and `again` answer what became of a call: it took effect, or it did not and is made again. */
export const VOTES = ['approve', 'reject', 'done', 'again'] as const;
export type Vote = (typeof VOTES)[number];

/** Meanings that a signature can be asked to have (21 CFR 11.50). */
export const ASKED_MEANINGS = ['reviewed', 'approved', 'responsible'] as const;
export type AskedMeaning = (typeof ASKED_MEANINGS)[number];
/** Meanings of a signature. */
export type SignatureMeaning = AskedMeaning | 'rejected';
/**
 * How a person proved with an act itself that it is them. `password_and_factor`: with a code of their authenticator app, or in a session that
 * has shown one. `passkey`: with one that has verified them, which is two factors.
 */
export const FRESH_METHODS = ['password', 'password_and_factor', 'passkey'] as const;
export type FreshMethod = (typeof FRESH_METHODS)[number];
/** How the person behind a vote was known; `session`: by the session alone. */
export type SignatureMethod = FreshMethod | 'session';
/** What a person proves for that it is them. */
export type ReauthenticatedAct = 'vote' | 'break_glass';

/** Changes of what people and agents may do that another person agrees to. */
export const CONTROL_KINDS = [
  'policy_publish',
  'policy_pause',
  'policy_activate',
  'member_roles',
  'member_remove',
  'workflow_publish',
  'agent_publish',
  'workspace_settings',
  'workspace_proof',
  'workspace_network',
  'workspace_checkpoints',
  'workspace_sign_in',
  'workspace_groups',
  'workspace_sessions',
  'connection_approve',
  'connection_permits',
  'connection_credential',
  'inventory_risk',
  'evidence_export',
] as const;
export type ControlKind = (typeof CONTROL_KINDS)[number];

/** `emergency`: break-glass put it into effect without a second person, for a while. */
export const CONTROL_STATUSES = ['pending', 'emergency', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type ControlStatus = (typeof CONTROL_STATUSES)[number];

/** How break-glass ends: a second person lets the change stay, what was in force before comes back, or it was changed meanwhile and stays so. */
export const BREAK_GLASS_OUTCOMES = ['agreed', 'reverted', 'left'] as const;
export type BreakGlassOutcome = (typeof BREAK_GLASS_OUTCOMES)[number];

export const CONTROL_VOTES = ['approve', 'reject'] as const satisfies readonly Vote[];
export type ControlVote = (typeof CONTROL_VOTES)[number];

/** From least to most strict. */
export const VERDICTS = ['allow', 'warn', 'transform', 'require_approval', 'deny'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const RISKS = ['low', 'medium', 'high'] as const;
export type Risk = (typeof RISKS)[number];
