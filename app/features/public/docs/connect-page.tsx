import { useTranslation } from 'react-i18next';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';

/** Connecting tools and agents of others, and the rules for both. */
export function DocsConnectPage() {
  const { t } = useTranslation('docs');
  return (
    <DocsFrame title={t('connect.title')} lead={t('connect.lead')}>
      {(['mcp', 'a2a'] as const).map((protocol) => (
        <DocsPart key={protocol} id={protocol} title={t(`connect.${protocol}.title`)}>
          <ol className="grid list-decimal gap-2 ps-6">
            {(['first', 'second', 'third'] as const).map((step) => (
              <li key={step}>{t(`connect.${protocol}.${step}`)}</li>
            ))}
          </ol>
          <CodeSample
            label={t(`connect.${protocol}.title`)}
            code={protocol === 'mcp' ? 'https://example.com/mcp' : 'https://example.com/.well-known/agent-card.json'}
          />
        </DocsPart>
      ))}
      {(['pinned', 'guarded', 'secrets'] as const).map((topic) => (
        <DocsPart key={topic} title={t(`connect.${topic}.title`)}>
          <p>{t(`connect.${topic}.text`)}</p>
        </DocsPart>
      ))}
    </DocsFrame>
  );
}
