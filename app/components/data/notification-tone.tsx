import { type NotificationKind, type NotificationTone, toneOf } from '#app/domain/people/notification-kinds.ts';
import BadgeAlert from '~icons/badge-alert';
import CalendarClock from '~icons/calendar-clock';
import CircleX from '~icons/circle-x';
import ClipboardList from '~icons/clipboard-list';
import Eye from '~icons/eye';
import Gauge from '~icons/gauge';
import Mail from '~icons/mail';
import MessageSquare from '~icons/message-square';
import ShieldCheck from '~icons/shield-check';
import Stamp from '~icons/stamp';
import TriangleAlert from '~icons/triangle-alert';
import UserRoundPlus from '~icons/user-round-plus';

const ICONS = {
  approval: Stamp,
  failure: CircleX,
  quota: Gauge,
  changed_tool: BadgeAlert,
  invitation: UserRoundPlus,
  contact: Mail,
  message: MessageSquare,
  task: ClipboardList,
  watch: Eye,
  proof: ShieldCheck,
  incident: TriangleAlert,
  review: CalendarClock,
} as const;

const COLOURS: Record<NotificationTone, string> = {
  neutral: 'text-muted',
  ok: 'text-ok-ink',
  attention: 'text-attention-ink',
  danger: 'text-danger-ink',
};

/** The sign of a kind, coloured by what became of it; the words beside it say the same. */
export function NotificationIcon({ kind, message }: { kind: NotificationKind; message: string }) {
  const Icon = ICONS[kind];
  return <Icon aria-hidden="true" strokeWidth={1.75} className={`size-5 shrink-0 ${COLOURS[toneOf(message)]}`} />;
}

/** Keys of the namespace `notifications`. */
export const KIND_WORDS = {
  approval: 'kind.approval',
  failure: 'kind.failure',
  quota: 'kind.quota',
  changed_tool: 'kind.changedTool',
  invitation: 'kind.invitation',
  contact: 'kind.contact',
  message: 'kind.message',
  task: 'kind.task',
  watch: 'kind.watch',
  proof: 'kind.proof',
  incident: 'kind.incident',
  review: 'kind.review',
} as const satisfies Record<NotificationKind, string>;
