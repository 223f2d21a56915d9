import { z } from 'zod';
import { explanationSchema } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import { type Channel, NOTIFICATION_KINDS, type NotificationKind, WEBHOOK_FORMATS } from '#app/domain/people/notification-kinds.ts';
import { readAsked } from '#app/domain/runs/subject/asked.ts';
import { readSubject as readRunSubject } from '#app/domain/runs/subject/run-subject.ts';
import { type Asked, type AskedWords, askedText } from '#app/domain/runs/subject/subject-text.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';

const aboutSchema = z.object({
  kind: z.enum([
    'approval',
    'task',
    'run',
    'runs',
    'plugin',
    'agent',
    'members',
    'contact',
    'deputies',
    'change',
    'proof',
    'incident',
    'inventory',
    'signIn',
  ]),
  id: z.uuid(),
});
type About = z.infer<typeof aboutSchema>;

/** `mail` false: no mail of it, whatever its reader prefers. */
const subjectSchema = explanationSchema.extend({ about: aboutSchema, mail: z.boolean().optional() });
export type NotificationSubject = z.infer<typeof subjectSchema>;

/** The stored subject of a notification, or null for one that an older version of the product wrote. */
export function readSubject(subject: Json): NotificationSubject | null {
  const parsed = subjectSchema.safeParse(subject);
  return parsed.success ? parsed.data : null;
}

/** The run that a notification is about. */
export type NoticeRun = RunIdentity & { id: string; workflow: string };

const noticeRunSchema = z.object({ id: z.uuid(), number: z.int(), subject: z.unknown().transform(readRunSubject), workflow: z.string() });

const noticeAskedSchema = z.object({ asked: z.unknown() });

/** The row of `quorate.run_of_notice`; null where it is about no run, or about one that its receiver may not see. */
export const readNoticeRun = (run: Json): NoticeRun | null => noticeRunSchema.nullable().parse(run);

/** The act that the approval of a notification would release, from the same row. */
export const readNoticeAsked = (run: Json): Asked | null => readAsked(noticeAskedSchema.nullable().parse(run)?.asked);

/** The values of a notification's sentence: an approval is called by what it would do. */
export function spokenValues({ values }: NotificationSubject, asked: Asked | null, words: AskedWords): NotificationSubject['values'] {
  return asked === null ? values : { ...values, title: askedText(asked, words) };
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
    case 'deputies':
      return '/dashboard/approvals/deputies';
    case 'change':
      return `/dashboard/changes/${about.id}`;
    case 'proof':
      return '/dashboard/audit/proof';
    case 'incident':
      return `/dashboard/policies/compliance/incidents/${about.id}`;
    case 'inventory':
      return `/dashboard/agents/inventory/${about.id}`;
    case 'signIn':
      return `/dashboard/plugins/${about.id}/sign-in`;
    case 'contact':
      return `/dashboard/admin/contact-requests/${about.id}`;
  }
}

const wishesSchema = z.object({ page: z.boolean(), mail: z.boolean(), webhook: z.boolean() }).partial();

/** The members of preferences.settings that are about notifications. Other members belong to others and are kept. */
export const notificationSettingsSchema = z.object({
  /** The language of a person's mails. */
  language: z.enum(LANGUAGES).nullable().catch(null).default(null),
  notifications: z.partialRecord(z.enum(NOTIFICATION_KINDS), wishesSchema).catch({}).default({}),
  /** `secret`: sealed with the context `notificationWebhook:<user>`, in base64. */
  notificationWebhook: z
    .object({ url: z.url(), secret: z.string(), format: z.enum(WEBHOOK_FORMATS).catch('json').default('json') })
    .nullable()
    .catch(null)
    .default(null),
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
  watch: { page: true, mail: false, webhook: false },
  proof: { page: true, mail: true, webhook: false },
  incident: { page: true, mail: true, webhook: false },
  review: { page: true, mail: true, webhook: false },
};

/** Whether this kind is to come by this channel. */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, channel: Channel): boolean {
  return settings.notifications[kind]?.[channel] ?? DEFAULTS[kind][channel];
}

/** The context under which a webhook's secret is sealed. */
export const webhookContext = (userId: string) => `notificationWebhook:${userId}`;
