import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice, type NoticeKind } from '#app/components/page/notice.tsx';
import { PanelFailed, PanelWaiting } from '#app/components/page/panel.tsx';
import { ToastFace, toastClass } from '#app/components/toast/toast-look.tsx';
import { useToast } from '#app/components/toast/toast-provider.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';

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
        action={<ButtonLink to={href('/dashboard/appearance')}>{t('buttonLink')}</ButtonLink>}
      />
      <PanelWaiting />
      <PanelFailed />
    </div>
  );
}

/** Filled and while loading: buttons appear with their content. */
export function DesignToasts() {
  const { t } = useTranslation('design');
  const show = useToast();
  const hydrated = useHydrated();
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:max-w-4xl">
        {KINDS.map((kind) => (
          <li key={kind} className={toastClass(kind)}>
            <ToastFace kind={kind}>
              <p className="font-semibold">{t('noticeTitle')}</p>
              <p className="mt-1 text-sm text-ink">{t('hint')}</p>
            </ToastFace>
          </li>
        ))}
      </ul>
      {hydrated ? (
        <p>
          <Button type="button" onClick={() => show({ kind: 'ok', title: t('noticeTitle'), text: t('hint') })}>
            {t('toastShow')}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

/** The question before something that cannot be undone. */
export function DesignConfirmation() {
  const { t } = useTranslation('design');
  return (
    <div className="max-w-lg rounded-lg border border-line bg-surface p-6">
      <h3 className="text-xl font-semibold tracking-tight">{t('confirmTitle')}</h3>
      <p className="mt-2 max-w-measure text-muted">{t('confirmText')}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="button" variant="danger">
          {t('confirmDo')}
        </Button>
        <ButtonLink to={href('/dashboard/help')}>{t('confirmLeave')}</ButtonLink>
      </div>
    </div>
  );
}
