import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';

/** The halt that the decision would lift, and the digest that binds it. */
export function ReleaseAction({
  approval,
  release,
}: {
  approval: Pick<LoadedApproval, 'digest' | 'intact' | 'haltedBy'>;
  release: NonNullable<LoadedApproval['release']>;
}) {
  const { t } = useTranslation('approvals');
  return (
    <div className="grid gap-5">
      {approval.intact ? null : <Notice kind="danger" title={t('page.notIntact')} />}
      <p className="max-w-measure">{t('release.text')}</p>
      <DescriptionList
        items={[
          { term: t('release.haltedAt'), description: <RelativeTime at={release.haltedAt} exact /> },
          { term: t('release.haltedBy'), description: <bdi>{approval.haltedBy ?? t('someone')}</bdi> },
          { term: t('release.haltReason'), description: <Typed text={release.haltReason ?? t('release.noReason')} /> },
          { term: t('release.reason'), description: <Typed text={release.reason} /> },
          { term: t('page.digest'), description: <Digest value={approval.digest} full /> },
        ]}
      />
    </div>
  );
}

function Typed({ text }: { text: string }) {
  return (
    <span dir="auto" className="block max-w-measure text-as-parent break-words whitespace-pre-wrap">
      {text}
    </span>
  );
}
