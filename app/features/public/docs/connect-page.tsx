import { useTranslation } from 'react-i18next';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';

const ADDRESSES = {
  mcp: 'https://example.com/mcp',
  a2a: 'https://example.com/.well-known/agent-card.json',
  gateway: 'https://quorate.example/mcp/your-workspace/your-gateway',
} as const;

/** Connecting tools and agents of others, and the rules for both. */
export function DocsConnectPage() {
  const { t } = useTranslation('docs');
  return (
    <DocsFrame title={t('connect.title')} lead={t('connect.lead')}>
      {(['mcp', 'a2a', 'gateway'] as const).map((protocol) => (
        <DocsPart key={protocol} id={protocol} title={t(`connect.${protocol}.title`)}>
          <ol className="grid list-decimal gap-2 ps-6">
            {(['first', 'second', 'third'] as const).map((step) => (
              <li key={step}>{t(`connect.${protocol}.${step}`)}</li>
            ))}
          </ol>
          <CodeSample label={t(`connect.${protocol}.title`)} code={ADDRESSES[protocol]} />
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
