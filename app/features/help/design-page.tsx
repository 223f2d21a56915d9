import { useTranslation } from 'react-i18next';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { DesignCharts } from '#app/features/help/design-charts.tsx';
import { DesignControls, DesignFields } from '#app/features/help/design-controls.tsx';
import { DesignConfirmation, DesignMessages, DesignToasts } from '#app/features/help/design-messages.tsx';
import { DesignActivity, DesignErrors, DesignPalette } from '#app/features/help/design-overlays.tsx';
import { DesignParts } from '#app/features/help/design-parts.tsx';
import { DesignTables } from '#app/features/help/design-tables.tsx';
import { DesignColours, DesignType } from '#app/features/help/design-tokens.tsx';

/** Every component in every state, on samples: for looking at after a change of style, and for comparing photographs. */
export function DesignPage() {
  const { t } = useTranslation('design');
  return (
    <PageFrame title={t('title')} description={t('description')}>
      <Section title={t('colours')}>
        <DesignColours />
      </Section>
      <Section title={t('type')}>
        <DesignType />
      </Section>
      <Section title={t('controls')}>
        <DesignControls />
      </Section>
      <Section title={t('fields')}>
        <DesignFields />
      </Section>
      <Section title={t('messages')}>
        <DesignMessages />
      </Section>
      <Section title={t('toasts')} description={t('toastsText')}>
        <DesignToasts />
      </Section>
      <Section title={t('activity')} description={t('activityText')}>
        <DesignActivity />
      </Section>
      <Section title={t('palette')} description={t('paletteText')}>
        <DesignPalette />
      </Section>
      <Section title={t('errors')} description={t('errorsText')}>
        <DesignErrors />
      </Section>
      <Section title={t('confirmations')} description={t('confirmationsText')}>
        <DesignConfirmation />
      </Section>
      <Section title={t('parts')}>
        <DesignParts />
      </Section>
      <Section title={t('tables')}>
        <DesignTables />
      </Section>
      <Section title={t('charts')}>
        <DesignCharts />
      </Section>
    </PageFrame>
  );
}
