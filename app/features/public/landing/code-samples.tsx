import { useTranslation } from 'react-i18next';
import { useRouteLoaderData } from 'react-router';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { CardRow } from '#app/features/public/landing/chapter.tsx';
import { codeSamples } from '#app/features/public/landing/code-sample-texts.ts';

/** The three ways in for programs, at the addresses of this instance, below a heading of level `level`. */
export function CodeSamples({ level }: { level: 2 | 3 }) {
  const { t } = useTranslation('public');
  const Heading = `h${level}` as const;
  const Name = level === 2 ? 'h3' : 'h4';
  const root = useRouteLoaderData<{ canonical: string | null }>('root');
  const samples = codeSamples(root?.canonical ? new URL(root.canonical).origin : '');
  return (
    <div className="mt-8">
      <Heading id="samples-title" className="text-xl font-semibold">
        {t('samples.title')}
      </Heading>
      <p className="mt-1 max-w-measure text-muted">{t('samples.text')}</p>
      <CardRow labelledBy="samples-title" className="mt-4 gap-6 sm:grid lg:grid-cols-3">
        {(['mcp', 'a2a', 'api'] as const).map((key) => (
          <li key={key} className="min-w-0 [&_pre]:text-xs">
            <Name className="mb-2 font-semibold">{t(`samples.${key}`)}</Name>
            <CodeSample label={t(`samples.${key}`)} code={samples[key]} />
          </li>
        ))}
      </CardRow>
    </div>
  );
}
