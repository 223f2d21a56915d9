/** The kinds of notifications; the database writes them where they happen (supabase/schemas/70_notifications.sql). */
export const NOTIFICATION_KINDS = [
  'approval',
  'failure',
  'quota',
  'changed_tool',
  'invitation',
  'contact',
  'message',
  'task',
  'watch',
  'proof',
  'incident',
  'review',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** `page`: counted and announced; a kind without it still stands in the inbox, as read. */
export const CHANNELS = ['page', 'mail', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

/** How the receiver of a webhook reads it: Quorate's own JSON, or the message of a chat. */
export const WEBHOOK_FORMATS = ['json', 'slack', 'teams'] as const;
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

/** Every message that the database writes, a key of the namespace `explanations`, with the colour of what became of it. */
const MESSAGES = [
  { key: 'notifyApprovalWaiting', tone: 'attention' },
  { key: 'notifyApprovalAssigned', tone: 'attention' },
  { key: 'notifyApprovalDue', tone: 'attention' },
  { key: 'notifyApprovalAssignedFor', tone: 'attention' },
  { key: 'notifyApprovalDueFor', tone: 'attention' },
  { key: 'notifyApprovalEscalated', tone: 'danger' },
  { key: 'notifyApprovalUndecided', tone: 'danger' },
  { key: 'notifyDeputyNamed', tone: 'attention' },
  { key: 'notifyDeputyStanding', tone: 'neutral' },
  { key: 'notifyDeputyBegins', tone: 'attention' },
  { key: 'notifyDeputyEnded', tone: 'neutral' },
  { key: 'notifyDeputyAway', tone: 'attention' },
  { key: 'notifyAwayNamed', tone: 'attention' },
  { key: 'notifyAwayStanding', tone: 'neutral' },
  { key: 'notifyApprovalApproved', tone: 'ok' },
  { key: 'notifyApprovalRejected', tone: 'danger' },
  { key: 'notifyApprovalExpired', tone: 'neutral' },
  { key: 'notifyApprovalQuestion', tone: 'attention' },
  { key: 'notifyApprovalAnswer', tone: 'attention' },
  { key: 'notifyRunFailed', tone: 'danger' },
  { key: 'notifyQuotaNear', tone: 'attention' },
  { key: 'notifyQuotaReached', tone: 'danger' },
  { key: 'notifyToolsChanged', tone: 'attention' },
  { key: 'notifyInvitationAccepted', tone: 'ok' },
  { key: 'notifyInvitationDeclined', tone: 'neutral' },
  { key: 'notifyInvitationExpired', tone: 'neutral' },
  { key: 'notifyRolesWaiting', tone: 'attention' },
  { key: 'notifyRolesGranted', tone: 'ok' },
  { key: 'notifyRolesRefused', tone: 'danger' },
  { key: 'notifyChangeWaiting', tone: 'attention' },
  { key: 'notifyChangeApproved', tone: 'ok' },
  { key: 'notifyChangeRejected', tone: 'danger' },
  { key: 'notifyChangeExpired', tone: 'neutral' },
  { key: 'notifyBreakGlass', tone: 'danger' },
  { key: 'notifyBreakGlassReverted', tone: 'neutral' },
  { key: 'notifyBreakGlassAgreed', tone: 'ok' },
  { key: 'notifyBreakGlassLeft', tone: 'attention' },
  { key: 'notifyContactRequest', tone: 'attention' },
  { key: 'notifyMessage', tone: 'neutral' },
  { key: 'notifyTask', tone: 'attention' },
  { key: 'notifyTaskDue', tone: 'attention' },
  { key: 'notifyTaskOverdue', tone: 'danger' },
  { key: 'notifyTaskPassed', tone: 'attention' },
  { key: 'notifySignIn', tone: 'attention' },
  { key: 'notifyWatchedAsked', tone: 'neutral' },
  { key: 'notifyWatchedApproved', tone: 'ok' },
  { key: 'notifyWatchedRejected', tone: 'danger' },
  { key: 'notifyWatchedExpired', tone: 'neutral' },
  { key: 'notifyWatchedCompleted', tone: 'ok' },
  { key: 'notifyWatchedFailed', tone: 'danger' },
  { key: 'notifyWatchedCancelled', tone: 'neutral' },
  { key: 'notifyWitnessDisagrees', tone: 'danger' },
  { key: 'notifyWitnessFails', tone: 'attention' },
  { key: 'notifyAuthorityFails', tone: 'attention' },
  { key: 'notifyWatcherBack', tone: 'ok' },
  { key: 'notifyIncidentRecorded', tone: 'attention' },
  { key: 'notifyIncidentDue', tone: 'attention' },
  { key: 'notifyIncidentOverdue', tone: 'danger' },
  { key: 'notifyAgentReview', tone: 'attention' },
] as const;
export type NotificationTone = (typeof MESSAGES)[number]['tone'];

export function toneOf(key: string): NotificationTone {
  return MESSAGES.find((message) => message.key === key)?.tone ?? 'neutral';
}

export function isNotificationKind(kind: unknown): kind is NotificationKind {
  return (NOTIFICATION_KINDS as readonly unknown[]).includes(kind);
}
