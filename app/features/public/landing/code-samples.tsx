import { useTranslation } from 'react-i18next';
import { useRouteLoaderData } from 'react-router';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { codeSamples } from '#app/features/public/landing/code-sample-texts.ts';

/** The three ways in for programs, at the addresses of this instance. */
export function CodeSamples() {
  const { t } = useTranslation('public');
  const root = useRouteLoaderData<{ canonical: string | null }>('root');
  const samples = codeSamples(root?.canonical ? new URL(root.canonical).origin : '');
  return (
    <div className="mt-12">
      <h3 className="text-xl font-semibold">{t('samples.title')}</h3>
      <p className="mt-2 max-w-measure text-muted">{t('samples.text')}</p>
      <ul className="mt-5 grid gap-6 lg:grid-cols-3">
        {(['mcp', 'a2a', 'api'] as const).map((key) => (
          <li key={key} className="min-w-0">
            <h4 className="mb-2 font-semibold">{t(`samples.${key}`)}</h4>
            <CodeSample label={t(`samples.${key}`)} code={samples[key]} />
          </li>
        ))}
      </ul>
    </div>
  );
}
