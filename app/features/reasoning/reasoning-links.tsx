import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AreaLinks } from '#app/components/page/area-links.tsx';

/** The screens of 'AI Reasoning'. */
export function ReasoningLinks() {
  const { t } = useTranslation('reasoning');
  return (
    <AreaLinks
      label={t('area')}
      links={[
        { label: t('links.routing'), to: href('/dashboard/ai-orchestration') },
        { label: t('links.decisions'), to: href('/dashboard/ai-reasoning') },
        { label: t('links.intelligence'), to: href('/dashboard/ai-orchestration/process-intelligence') },
        { label: t('links.optimization'), to: href('/dashboard/ai-orchestration/process-optimization') },
      ]}
    />
  );
}
