import { useTranslation } from 'react-i18next';
import { EmptyState } from '#app/components/empty-state.tsx';
import { Notice, type NoticeKind } from '#app/components/notice.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';

const KINDS: readonly NoticeKind[] = ['ok', 'attention', 'danger', 'info'];

export function DesignMessages() {
  const { t } = useTranslation('design');
  return (
    <div className="grid grid-cols-1 gap-4">
      {KINDS.map((kind) => (
        <Notice key={kind} kind={kind} title={t('noticeTitle')}>
          {t('paragraph')}
        </Notice>
      ))}
      <EmptyState
        title={t('emptyTitle')}
        description={t('emptyBody')}
        action={<ButtonLink to="/dashboard/appearance">{t('buttonLink')}</ButtonLink>}
      />
    </div>
  );
}
