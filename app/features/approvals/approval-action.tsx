import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { RestOfValue, ValueView } from '#app/components/value/value-view.tsx';
import { hidesText, revealedText } from '#app/domain/connections/hidden-text.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';

const PROTOCOLS: Record<string, string> = { mcp: 'MCP', a2a: 'A2A' };

/** Exactly what the decision releases: target, every field of the input, and the digest that binds them. */
export function ApprovalAction({
  approval,
}: {
  approval: Pick<
    LoadedApproval,
    'id' | 'connection' | 'capability' | 'question' | 'outcome' | 'input' | 'moreFields' | 'stepPath' | 'digest' | 'intact' | 'subject'
  >;
}) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  const { connection, capability, question, outcome } = approval;
  const file = href('/dashboard/approvals/:approval/subject', { approval: approval.id });
  return (
    <div className="grid gap-5">
      {approval.intact ? null : <Notice kind="danger" title={t('page.notIntact')} />}
      {question === null ? null : (
        <p className="max-w-measure text-lg break-words whitespace-pre-wrap">
          <bdi>{revealedText(question)}</bdi>
        </p>
      )}
      <DescriptionList
        items={[
          ...(connection === null
            ? []
            : [
                {
                  term: t('page.connection'),
                  description:
                    connection.kind === '' ? connection.name : `${connection.name} (${PROTOCOLS[connection.kind] ?? connection.kind})`,
                },
              ]),
          ...(capability === null ? [] : [{ term: t('page.capability'), description: <bdi>{revealedText(capability.name)}</bdi> }]),
          ...(capability === null || capability.fingerprint === ''
            ? []
            : [{ term: t('page.fingerprint'), description: <Digest value={capability.fingerprint} /> }]),
          ...(outcome === null
            ? []
            : [
                { term: t('outcome.known'), description: <ExplanationText explanation={outcome.error} /> },
                { term: t('outcome.attempt'), description: outcome.attempt },
                {
                  term: t('outcome.key'),
                  description: (
                    <code dir="ltr" className="break-all">
                      {outcome.idempotencyKey}
                    </code>
                  ),
                },
              ]),
          { term: t('page.step'), description: <code dir="ltr">{approval.stepPath}</code> },
          { term: t('page.digest'), description: <Digest value={approval.digest} full /> },
        ]}
      />
      <div>
        <h3 className="mb-2 font-semibold">{question === null ? t('page.input') : t('page.shown')}</h3>
        {approval.input.length === 0 ? (
          <p className="text-muted">{question === null ? t('page.noInput') : t('page.nothingShown')}</p>
        ) : (
          <DescriptionList
            items={approval.input.map((field) => ({
              term: revealedText(field.name),
              description: <InputValue field={field} file={file} />,
            }))}
          />
        )}
        {approval.moreFields === 0 ? null : (
          <p className="mt-2 text-attention-ink">{t('page.moreFields', { total: formats.number(approval.moreFields) })}</p>
        )}
      </div>
      <details>
        <summary className="cursor-pointer font-semibold">{t('page.whole')}</summary>
        <div className="mt-2">
          <ValueView value={approval.subject} label={t('page.whole')} file={file} />
        </div>
      </details>
    </div>
  );
}

/** Short enough to never need scrolling, nor a stop of the Tab key. */
const SHORT_MAX = 300;

/** Plain text as text, never as markup: it comes from outside. */
function InputValue({ field, file }: { field: LoadedApproval['input'][number]; file: string }) {
  const { t } = useTranslation('common');
  const { value } = field;
  const name = revealedText(field.name);
  const isObject = 'whole' in value && typeof value.whole === 'object' && value.whole !== null;
  if (isObject || !('whole' in value || field.isText)) return <ValueView value={value} label={name} file={file} />;
  const written = 'whole' in value ? value.whole : value.start;
  const raw = typeof written === 'string' ? written : JSON.stringify(written);
  const hides = 'whole' in value ? hidesText(raw) : value.hides;
  const text = revealedText(raw);
  const shown = (
    <span dir="auto" className="block text-as-parent break-words whitespace-pre-wrap">
      {text}
    </span>
  );
  return (
    <>
      {text.length <= SHORT_MAX ? (
        shown
      ) : (
        <ScrollGroup label={name} className="max-h-96 overflow-auto">
          {shown}
        </ScrollGroup>
      )}
      {hides ? <p className="mt-1 text-sm text-attention-ink">{t('hiddenText')}</p> : null}
      {'whole' in value ? null : <RestOfValue value={value} label={name} file={file} />}
    </>
  );
}
