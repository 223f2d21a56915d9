import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { wantsStillness } from '#app/features/public/frame/wants-stillness.ts';
import LoaderCircle from '~icons/loader-circle';
import Pause from '~icons/pause';
import Play from '~icons/play';

const RECORDING = '/recording/main-job.webm';
const POSTER = '/recording/main-job.webp';

type State = 'idle' | 'loading' | 'playing' | 'paused' | 'failed';

/** Quorate at its main job, recorded from the product. Without scripts the browser's own controls are there. */
export function HeroVideo() {
  const { t } = useTranslation('public');
  const hydrated = useHydrated();
  const video = useRef<HTMLVideoElement>(null);
  const [state, setShown] = useState<State>('idle');
  // Failed is final: whatever the element reports after it is about its own removal.
  const setState = useCallback((next: State) => setShown((now) => (now === 'failed' ? now : next)), []);
  useEffect(() => {
    if (!wantsStillness()) void play(video.current, setState);
  }, [setState]);
  if (state === 'failed') return <DemoPanel />;
  const moving = state === 'playing' || state === 'loading';
  return (
    <figure className="w-full items-end gap-x-8 lg:col-span-2 lg:grid lg:grid-cols-[minmax(0,48rem)_minmax(0,1fr)]">
      <div className="relative overflow-hidden rounded-lg border border-line bg-surface shadow-float">
        <video
          ref={video}
          className="block aspect-[16/10] w-full"
          width={960}
          height={600}
          poster={POSTER}
          preload="none"
          muted
          loop
          playsInline
          controls={!hydrated}
          aria-label={t('video.label')}
          aria-describedby="video-text"
          onPlaying={() => setState('playing')}
          onPause={() => setState('paused')}
          onWaiting={() => setState('loading')}
        >
          <source src={RECORDING} type="video/webm" onError={() => setState('failed')} />
          <DemoPanel />
        </video>
        {state === 'loading' ? (
          <p role="status" className="absolute inset-0 grid place-items-center">
            <LoaderCircle aria-hidden="true" className="size-8 animate-spin text-accent" />
            <span className="sr-only">{t('video.loading')}</span>
          </p>
        ) : null}
        {hydrated ? (
          <button
            type="button"
            onClick={() => (moving ? video.current?.pause() : void play(video.current, setState))}
            aria-label={moving ? t('video.pause') : t('video.play')}
            className="absolute end-3 bottom-3 grid size-10 place-items-center rounded-full border border-line bg-surface text-ink hover:bg-raised"
          >
            {moving ? <Pause aria-hidden="true" className="size-4" /> : <Play aria-hidden="true" className="size-4" />}
          </button>
        ) : null}
      </div>
      <figcaption id="video-text" className="mt-3 text-sm text-muted lg:mt-0 lg:border-t lg:border-line lg:pt-3">
        {t('video.text')}
      </figcaption>
    </figure>
  );
}

/** Plays it; a browser that refuses to play on its own leaves it still, one that cannot play it at all gets the panel. */
async function play(video: HTMLVideoElement | null, tell: (state: State) => void) {
  if (video === null) return;
  tell('loading');
  try {
    await video.play();
  } catch (error) {
    tell(error instanceof DOMException && error.name === 'NotSupportedError' ? 'failed' : 'paused');
  }
}

/** Stands in for the video. */
function DemoPanel() {
  const { t } = useTranslation('public');
  return (
    <a
      href="#demo"
      className="grid aspect-[16/10] w-full content-center self-center rounded-lg border border-line bg-surface p-8 text-center text-ink no-underline hover:bg-raised"
    >
      <strong className="text-xl font-semibold">{t('video.fallbackTitle')}</strong>
      <span className="mt-2 text-muted">{t('video.fallbackText')}</span>
    </a>
  );
}
