import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { FactList } from '#app/features/approvals/facts/fact-list.tsx';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';

const PROTOCOLS: Record<string, string> = { mcp: 'MCP', a2a: 'A2A' };

/** Exactly what the decision releases: the question, or the call's target, and every field. */
export function ApprovalAction({ approval }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  const { question, outcome } = approval;
  const file = href('/dashboard/approvals/:approval/subject', { approval: approval.id });
  return (
    <div className="grid gap-5">
      {approval.intact ? null : <Notice kind="danger" title={t('page.notIntact')} />}
      {question === null ? (
        <CallTarget approval={approval} />
      ) : (
        <p className="max-w-measure text-lg break-words whitespace-pre-wrap">
          <bdi>{revealedText(question)}</bdi>
        </p>
      )}
      {outcome === null ? null : (
        <DescriptionList
          items={[
            { term: t('outcome.known'), description: <ExplanationText explanation={outcome.error} /> },
            { term: t('outcome.attempt'), description: outcome.attempt },
            {
              term: t('outcome.key'),
              description: (
                <code dir="ltr" className="wrap-anywhere">
                  {outcome.idempotencyKey}
                </code>
              ),
            },
          ]}
        />
      )}
      <div>
        {question === null ? <h3 className="mb-2 font-semibold">{t('page.input')}</h3> : null}
        {approval.input.length === 0 ? (
          <p className="text-muted">{question === null ? t('page.noInput') : t('page.nothingShown')}</p>
        ) : (
          <FactList facts={approval.input} file={file} />
        )}
        {approval.moreFields === 0 ? null : (
          <p className="mt-2 text-attention-ink">{t('page.moreFields', { total: formats.number(approval.moreFields) })}</p>
        )}
      </div>
    </div>
  );
}

function CallTarget({ approval: { connection, capability } }: { approval: LoadedApproval }) {
  const { t } = useTranslation('approvals');
  if (connection === null && capability === null) return null;
  const named = connection?.kind ? `${connection.name} (${PROTOCOLS[connection.kind] ?? connection.kind})` : connection?.name;
  return (
    <DescriptionList
      items={[
        ...(capability === null ? [] : [{ term: t('page.capability'), description: <bdi>{revealedText(capability.name)}</bdi> }]),
        ...(named === undefined ? [] : [{ term: t('page.connection'), description: <bdi>{named}</bdi> }]),
      ]}
    />
  );
}
