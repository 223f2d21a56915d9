import { z } from 'zod';
import { explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';

/** The kinds of notifications; the database writes them where they happen (supabase/schemas/70_notifications.sql). */
export const NOTIFICATION_KINDS = ['approval', 'failure', 'quota', 'changed_tool', 'invitation', 'contact', 'message', 'task'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** `page`: counted and announced; a kind without it still stands in the inbox, as read. */
export const CHANNELS = ['page', 'mail', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Every message that the database writes, a key of the namespace `explanations`, with the colour of what became of it. */
const MESSAGES = [
  { key: 'notifyApprovalWaiting', tone: 'attention' },
  { key: 'notifyApprovalApproved', tone: 'ok' },
  { key: 'notifyApprovalRejected', tone: 'danger' },
  { key: 'notifyApprovalExpired', tone: 'neutral' },
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
  { key: 'notifyContactRequest', tone: 'attention' },
  { key: 'notifyMessage', tone: 'neutral' },
  { key: 'notifyTask', tone: 'attention' },
  { key: 'notifyTaskDue', tone: 'attention' },
  { key: 'notifyTaskOverdue', tone: 'danger' },
  { key: 'notifyTaskPassed', tone: 'attention' },
] as const;
export type NotificationTone = (typeof MESSAGES)[number]['tone'];

const aboutSchema = z.object({ kind: z.enum(['approval', 'task', 'run', 'runs', 'plugin', 'agent', 'members', 'contact']), id: z.uuid() });
type About = z.infer<typeof aboutSchema>;

/** `mail` false: no mail of it, whatever its reader prefers. */
const subjectSchema = explanationSchema.extend({ about: aboutSchema, mail: z.boolean().optional() });
export type NotificationSubject = z.infer<typeof subjectSchema>;

/** The stored subject of a notification, or null for one that an older version of the product wrote. */
export function readSubject(subject: Json): NotificationSubject | null {
  const parsed = subjectSchema.safeParse(subject);
  return parsed.success ? parsed.data : null;
}

/** Names the workspace in a mail's link to a list; a link to one thing finds it by its id. */
export const WORKSPACE_PARAM = 'workspace';

/** The address that leads there from outside the product, whichever workspace its reader works in. */
export function linkTo(origin: string, workspaceId: string, about: About): string {
  const path = pathOf(about);
  return `${origin}${path}${path.endsWith(about.id) ? '' : `?${WORKSPACE_PARAM}=${workspaceId}`}`;
}

/** Where the thing is that a notification is about. */
export function pathOf(about: About): string {
  switch (about.kind) {
    case 'approval':
      return `/dashboard/approvals/${about.id}`;
    case 'task':
      return `/dashboard/tasks/${about.id}`;
    case 'run':
      return `/dashboard/runs/${about.id}`;
    case 'runs':
      return '/dashboard/runs';
    case 'plugin':
      return `/dashboard/plugins/${about.id}`;
    case 'agent':
      return `/dashboard/agents/${about.id}`;
    case 'members':
      return '/dashboard/admin/members';
    case 'contact':
      return `/dashboard/admin/contact-requests/${about.id}`;
  }
}

export function toneOf(key: string): NotificationTone {
  return MESSAGES.find((message) => message.key === key)?.tone ?? 'neutral';
}

const wishesSchema = z.object({ page: z.boolean(), mail: z.boolean(), webhook: z.boolean() }).partial();

/** The members of preferences.settings that are about notifications. Other members belong to others and are kept. */
export const notificationSettingsSchema = z.object({
  /** The language of a person's mails. */
  language: z.enum(LANGUAGES).nullable().catch(null).default(null),
  notifications: z.partialRecord(z.enum(NOTIFICATION_KINDS), wishesSchema).catch({}).default({}),
  /** `secret`: sealed with the context `notificationWebhook:<user>`, in base64. */
  notificationWebhook: z.object({ url: z.url(), secret: z.string() }).nullable().catch(null).default(null),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

/** By default a mail comes for decisions one can take, for a changed tool, and to admins for the quota; everything else is opt-in. */
const DEFAULTS: Record<NotificationKind, Record<Channel, boolean>> = {
  approval: { page: true, mail: true, webhook: false },
  failure: { page: true, mail: false, webhook: false },
  quota: { page: true, mail: true, webhook: false },
  changed_tool: { page: true, mail: true, webhook: false },
  invitation: { page: true, mail: false, webhook: false },
  contact: { page: true, mail: true, webhook: false },
  message: { page: true, mail: true, webhook: false },
  task: { page: true, mail: true, webhook: false },
};

/** Whether this kind is to come by this channel. */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, channel: Channel): boolean {
  return settings.notifications[kind]?.[channel] ?? DEFAULTS[kind][channel];
}

/** The context under which a webhook's secret is sealed. */
export const webhookContext = (userId: string) => `notificationWebhook:${userId}`;

export function isNotificationKind(kind: unknown): kind is NotificationKind {
  return (NOTIFICATION_KINDS as readonly unknown[]).includes(kind);
}
