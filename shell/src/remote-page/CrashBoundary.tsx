import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Crash } from '../layout/FailureCard.tsx'

interface CrashBoundaryProps {
  readonly children: ReactNode
  readonly onCrash: (error: unknown, info: ErrorInfo) => void
  /** Replaces what crashed; default: the specification's crash text (section 8). */
  readonly fallback?: ReactNode
}

export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError(): { crashed: boolean } | null {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    this.props.onCrash(error, info)
  }

  override render() {
    const { children, fallback = <Crash /> } = this.props
    return this.state.crashed ? fallback : children
  }
}

/** Catches errors of a page that is being left, which React gives to the boundaries around it: the next page stays. */
export class LeavingBoundary extends CrashBoundary {
  static override getDerivedStateFromError() {
    return null
  }

  override render() {
    return this.props.children
  }
}
