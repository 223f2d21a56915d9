import type { StatusName } from '#app/components/data/status-word.tsx';

/** The product's terms, in the order in which they build on each other. */
export const TERMS = [
  'workspace',
  'workflow',
  'version',
  'connection',
  'capability',
  'gateway',
  'agent',
  'run',
  'runNumber',
  'subject',
  'step',
  'httpRequest',
  'forEach',
  'wait',
  'errorHandling',
  'message',
  'document',
  'repeatUntil',
  'waitForEvent',
  'subWorkflow',
  'form',
  'cleanUp',
  'policy',
  'decision',
  'approval',
  'auditLog',
  'checkpoint',
  'evidence',
  'evidencePack',
  'fingerprint',
  'incident',
  'attestation',
  'inventory',
] as const;

/** Every status word, by what carries it. A word that several things carry means the same for each. */
export const STATUS_GROUPS = {
  runs: ['pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled', 'success', 'error', 'skipped'],
  workflows: ['draft', 'active', 'inactive'],
  connections: ['connected', 'disconnected', 'changed', 'removed'],
  agents: ['online', 'idle', 'offline'],
  approvals: ['approve', 'reject', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed'],
  verdicts: ['allow', 'warn', 'transform', 'require_approval', 'deny'],
  risks: ['low', 'medium', 'high'],
} as const satisfies Record<string, readonly StatusName[]>;

export const STATUS_GROUP_IDS = Object.keys(STATUS_GROUPS) as (keyof typeof STATUS_GROUPS)[];
