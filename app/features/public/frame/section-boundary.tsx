import { Component, type ReactNode, Suspense } from 'react';

type Props = { fallback: ReactNode; children: ReactNode };

/**
 * Keeps a failure where it happens, on the server too: there an error boundary does not catch, but a Suspense boundary answers with its
 * fallback, in the same bytes and without any script. In the browser the part is tried once more, and fails for itself again.
 */
export function SectionBoundary({ fallback, children }: Props) {
  return (
    <CatchingBoundary fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchingBoundary>
  );
}

class CatchingBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
