import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { STORED_TEXTS, TEXTS_PARAM } from '#app/domain/demo/demo-texts.ts';

/** Says below a screen of the demo that its texts are translated, with a link to the stored texts and back. */
export function DemoTexts({ shown }: { shown: 'translated' | 'stored' }) {
  const { t } = useTranslation('shell');
  const { pathname, search } = useLocation();
  const params = new URLSearchParams(search);
  if (shown === 'translated') params.set(TEXTS_PARAM, STORED_TEXTS);
  else params.delete(TEXTS_PARAM);
  return (
    <p className="mx-auto w-full max-w-page px-4 pb-6 text-sm text-muted in-[:has([data-wide])]:max-w-[110rem] sm:px-6 lg:px-8">
      {t(shown === 'translated' ? 'demoTexts.translated' : 'demoTexts.stored')}{' '}
      <Link to={{ pathname, search: params.toString() }} className="text-link py-0.5">
        {t(shown === 'translated' ? 'demoTexts.showStored' : 'demoTexts.showTranslated')}
      </Link>
    </p>
  );
}
