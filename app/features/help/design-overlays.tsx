import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { ErrorMessage } from '#app/components/page/error-page.tsx';
import type { PaletteAnswer } from '#app/components/palette/palette.tsx';
import { ActivityToast, type ActivityWords } from '#app/components/toast/activity-toast.tsx';
import { Button } from '#app/components/ui/button.tsx';

// Loaded when they are first used, as everywhere else.
const ActivityToasts = lazy(() => import('#app/components/toast/activity-toasts.tsx').then((file) => ({ default: file.ActivityToasts })));
const SamplePalette = lazy(() => import('#app/features/help/sample-palette.tsx').then((file) => ({ default: file.SamplePalette })));

const HERE = href('/dashboard/help/design');
/** One of each kind, in each of the four tones. */
const ACTIVITY = [
  { kind: 'approval', message: 'notifyApprovalWaiting', run: '#12' },
  { kind: 'approval', message: 'notifyApprovalApproved' },
  { kind: 'failure', message: 'notifyRunFailed' },
  { kind: 'quota', message: 'notifyQuotaNear' },
  { kind: 'changed_tool', message: 'notifyToolsChanged' },
  { kind: 'invitation', message: 'notifyInvitationDeclined' },
  { kind: 'contact', message: 'notifyContactRequest' },
  { kind: 'message', message: 'notifyMessage' },
  { kind: 'task', message: 'notifyTask' },
] as const;

/** Filled and while loading. */
export function DesignActivity() {
  const { t } = useTranslation('design');
  const hydrated = useHydrated();
  const [shown, setShown] = useState<readonly (ActivityWords & { id: string })[]>([]);
  const wordsOf = (one: (typeof ACTIVITY)[number]): ActivityWords => ({ run: null, ...one, text: t('noticeTitle'), path: HERE });
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="flex flex-wrap gap-4">
        {ACTIVITY.map((one) => (
          <li key={one.message} className="max-w-full">
            <ActivityToast words={wordsOf(one)} />
          </li>
        ))}
      </ul>
      {hydrated ? (
        <p>
          <Button
            type="button"
            onClick={() => setShown((before) => [...before, { ...wordsOf(ACTIVITY[0]), id: `sample-${before.length}` }])}
          >
            {t('toastShow')}
          </Button>
        </p>
      ) : null}
      {shown.length === 0 ? null : (
        <Suspense>
          <ActivityToasts messages={shown} of="samples" />
        </Suspense>
      )}
    </div>
  );
}

/** With results, and without. Only scripts have a palette at all. */
export function DesignPalette() {
  const { t } = useTranslation('design');
  const hydrated = useHydrated();
  const [isShown, setIsShown] = useState(false);
  const [found] = useState<PaletteAnswer>({
    groups: [
      {
        name: 'page',
        heading: t('type'),
        hits: [
          { path: 'a', title: t('rowA'), detail: t('hint'), status: null },
          { path: 'b', title: t('rowB'), detail: t('emptyBody'), status: null },
        ],
      },
      { name: 'run', heading: t('tables'), hits: [{ path: 'c', title: t('rowC'), detail: t('hint'), status: 'waiting' }] },
    ],
    count: 3,
    all: true,
  });
  if (!isShown)
    return hydrated ? (
      <Button type="button" onClick={() => setIsShown(true)}>
        {t('paletteShow')}
      </Button>
    ) : null;
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
      <Suspense>
        <SamplePalette answer={found} words={t('sample')} />
        <SamplePalette answer={NOTHING} words={t('paragraph')} />
      </Suspense>
    </div>
  );
}

const NOTHING: PaletteAnswer = { groups: [], count: 0, all: false };
const REFUSED = { status: 403, statusText: '', internal: false, data: { code: 'forbidden' } };
const MISSING = { status: 404, statusText: '', internal: false, data: null };

/** Samples of failures: one, a repeated one, a refusal, and a page that does not exist. */
export function DesignErrors() {
  const [failed] = useState(() => new Error('sample'));
  const samples = [
    { name: 'failed', error: failed, tries: 0 },
    { name: 'exhausted', error: failed, tries: 3 },
    { name: 'refused', error: REFUSED, tries: 0 },
    { name: 'missing', error: MISSING, tries: 0 },
  ];
  return (
    <ul className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      {samples.map(({ name, error, tries }) => (
        <li key={name} className="rounded-lg border border-line bg-paper p-6">
          <ErrorMessage error={error} as="h3" tries={tries} />
        </li>
      ))}
    </ul>
  );
}
