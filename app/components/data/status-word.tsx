import { useTranslation } from 'react-i18next';
import type {
  ApprovalStatus,
  ArtifactStatus,
  ConnectionStatus,
  ControlStatus,
  Risk,
  RunStatus,
  StepStatus,
  Verdict,
  Vote,
} from '#app/contracts/statuses.ts';
import type { AgentPresence } from '#app/domain/connections/agent-presence.ts';
import type { CapabilityState } from '#app/domain/connections/capability-state.ts';
import Ban from '~icons/ban';
import Check from '~icons/check';
import CheckCheck from '~icons/check-check';
import CircleAlert from '~icons/circle-alert';
import CircleCheck from '~icons/circle-check';
import CircleDashed from '~icons/circle-dashed';
import CircleDot from '~icons/circle-dot';
import CirclePause from '~icons/circle-pause';
import CircleX from '~icons/circle-x';
import Clock from '~icons/clock';
import FilePen from '~icons/file-pen';
import Info from '~icons/info';
import PlugZap from '~icons/plug-zap';
import RefreshCw from '~icons/refresh-cw';
import SkipForward from '~icons/skip-forward';
import TriangleAlert from '~icons/triangle-alert';
import Undo from '~icons/undo-2';
import Unplug from '~icons/unplug';

/** Every word of `domain/statuses.ts` for what a thing is in, and those of votes. */
export type StatusName =
  | ApprovalStatus
  | ArtifactStatus
  | CapabilityState
  | ConnectionStatus
  | ControlStatus
  | Risk
  | RunStatus
  | StepStatus
  | Verdict
  | Vote
  | 'draft'
  | AgentPresence;

/** `turns`: the direction in the icon means back, so it turns with the direction of reading. */
type Look = { Icon: typeof Info; tone: keyof typeof TONES; turns?: true };

const TONES = {
  neutral: 'text-muted',
  ok: 'text-ok-ink',
  attention: 'text-attention-ink',
  danger: 'text-danger-ink',
  info: 'text-info-ink',
  accent: 'text-accent',
} as const;

const LOOKS: Record<StatusName, Look> = {
  pending: { Icon: CircleDashed, tone: 'neutral' },
  processing: { Icon: RefreshCw, tone: 'info' },
  waiting: { Icon: Clock, tone: 'attention' },
  completed: { Icon: CircleCheck, tone: 'ok' },
  failed: { Icon: CircleX, tone: 'danger' },
  cancelled: { Icon: Ban, tone: 'neutral' },
  success: { Icon: CircleCheck, tone: 'ok' },
  error: { Icon: CircleAlert, tone: 'danger' },
  skipped: { Icon: SkipForward, tone: 'neutral' },
  active: { Icon: CircleDot, tone: 'ok' },
  inactive: { Icon: CirclePause, tone: 'neutral' },
  draft: { Icon: FilePen, tone: 'neutral' },
  connected: { Icon: PlugZap, tone: 'ok' },
  disconnected: { Icon: Unplug, tone: 'neutral' },
  online: { Icon: CircleDot, tone: 'ok' },
  offline: { Icon: Unplug, tone: 'danger' },
  idle: { Icon: CirclePause, tone: 'neutral' },
  approved: { Icon: CircleCheck, tone: 'ok' },
  rejected: { Icon: CircleX, tone: 'danger' },
  expired: { Icon: Clock, tone: 'neutral' },
  withdrawn: { Icon: Undo, tone: 'neutral', turns: true },
  emergency: { Icon: TriangleAlert, tone: 'danger' },
  consumed: { Icon: CheckCheck, tone: 'accent' },
  changed: { Icon: TriangleAlert, tone: 'attention' },
  removed: { Icon: CircleX, tone: 'neutral' },
  allow: { Icon: Check, tone: 'ok' },
  warn: { Icon: TriangleAlert, tone: 'attention' },
  transform: { Icon: FilePen, tone: 'info' },
  require_approval: { Icon: CirclePause, tone: 'attention' },
  deny: { Icon: Ban, tone: 'danger' },
  low: { Icon: Info, tone: 'neutral' },
  medium: { Icon: TriangleAlert, tone: 'attention' },
  high: { Icon: CircleAlert, tone: 'danger' },
  approve: { Icon: Check, tone: 'ok' },
  reject: { Icon: CircleX, tone: 'danger' },
  done: { Icon: CircleCheck, tone: 'ok' },
  again: { Icon: RefreshCw, tone: 'info' },
};

const WORDS = {
  pending: 'status.pending',
  processing: 'status.processing',
  waiting: 'status.waiting',
  completed: 'status.completed',
  failed: 'status.failed',
  cancelled: 'status.cancelled',
  success: 'status.success',
  error: 'status.error',
  skipped: 'status.skipped',
  active: 'status.active',
  inactive: 'status.inactive',
  draft: 'status.draft',
  connected: 'status.connected',
  disconnected: 'status.disconnected',
  online: 'status.online',
  offline: 'status.offline',
  idle: 'status.idle',
  approved: 'status.approved',
  rejected: 'status.rejected',
  expired: 'status.expired',
  withdrawn: 'status.withdrawn',
  emergency: 'status.emergency',
  consumed: 'status.consumed',
  changed: 'status.changed',
  removed: 'status.removed',
  allow: 'status.allow',
  warn: 'status.warn',
  transform: 'status.transform',
  require_approval: 'status.requireApproval',
  deny: 'status.deny',
  low: 'status.low',
  medium: 'status.medium',
  high: 'status.high',
  approve: 'status.approve',
  reject: 'status.reject',
  done: 'status.done',
  again: 'status.again',
} as const satisfies Record<StatusName, string>;

/** The state of a thing: always a word, with an icon and a colour. */
export function StatusWord({ status }: { status: StatusName }) {
  const { t } = useTranslation('common');
  const { Icon, tone, turns } = LOOKS[status];
  return (
    <span data-status={status} className={`font-semibold whitespace-nowrap ${TONES[tone]}`}>
      <Icon
        aria-hidden="true"
        className={`me-1.5 inline-block size-4 align-[-0.2em] ${turns ? 'rtl:-scale-x-100' : ''}`}
        strokeWidth={2.25}
      />
      {t(WORDS[status])}
    </span>
  );
}
