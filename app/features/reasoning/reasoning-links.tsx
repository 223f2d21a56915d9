import { useTranslation } from 'react-i18next';
import { AreaLinks } from '#app/components/page/area-links.tsx';

/** The screens of 'AI Reasoning'. */
export function ReasoningLinks() {
  const { t } = useTranslation('reasoning');
  return (
    <AreaLinks
      label={t('area')}
      links={[
        { label: t('links.routing'), to: '/dashboard/ai-orchestration' },
        { label: t('links.decisions'), to: '/dashboard/ai-reasoning' },
        { label: t('links.intelligence'), to: '/dashboard/ai-orchestration/process-intelligence' },
        { label: t('links.optimization'), to: '/dashboard/ai-orchestration/process-optimization' },
      ]}
    />
  );
}
