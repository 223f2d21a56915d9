import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import type { TalkEntry } from '#app/features/approvals/talk/read-talk.server.ts';
import { TalkForm } from '#app/features/approvals/talk/talk-form.tsx';

const TALK_ID = 'talk';

/** Everything that was written under an approval, and the form to write more. Needs the namespace approvals. */
export function ApprovalTalk({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  const { entries } = approval.talk;
  return (
    <div id={TALK_ID} className="grid max-w-measure scroll-mt-20 gap-5">
      {entries.length === 0 ? (
        <p className="text-muted">{t('talk.none')}</p>
      ) : (
        <ol aria-label={t('talk.list')} className="grid gap-4">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {/* Another form once something was written: an empty one. */}
      <TalkForm key={entries.length} approval={approval} />
    </div>
  );
}

function Entry({ entry: { kind, author, text, at } }: { entry: TalkEntry }) {
  const { t } = useTranslation('approvals');
  return (
    <li className={`border-s-2 ps-3 ${kind === 'comment' ? 'border-line' : 'border-accent'}`}>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <bdi className="font-semibold">{author || t('someone')}</bdi>
        {kind === 'comment' ? null : <Badge tone="accent">{t(kind === 'question' ? 'talk.question' : 'talk.answer')}</Badge>}
        <span className="text-sm text-muted">
          <RelativeTime at={at} />
        </span>
      </p>
      {text === '' ? (
        <p className="text-muted">{t('talk.erased')}</p>
      ) : (
        <p dir="auto" className="text-as-parent break-words whitespace-pre-wrap">
          {revealedText(text)}
        </p>
      )}
    </li>
  );
}

/** That a question is open, before everything else: to the requester with the way to the answer. */
export function OpenQuestion({ approval: { talk, requestedBy, status } }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  if (talk.state !== 'open' || (status !== 'pending' && talk.toAnswer === null)) return null;
  if (talk.toAnswer === null) return <Notice kind="info" title={t('talk.waitingFor', { name: requestedBy ?? t('someone') })} />;
  return (
    <Notice kind="attention" title={t('talk.yours')}>
      <a href={`#${TALK_ID}`}>{t('talk.toQuestion')}</a>
    </Notice>
  );
}
