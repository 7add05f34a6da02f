import { Component, type ReactNode } from 'react'
import { Crash } from '../layout/FailureCard.tsx'

interface CrashBoundaryProps {
  readonly children: ReactNode
  readonly onCrash: (error: unknown) => void
  /** Replaces what crashed; default: the specification's crash text (section 8). */
  readonly fallback?: ReactNode
}

export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onCrash(error)
  }

  override render() {
    const { children, fallback = <Crash /> } = this.props
    return this.state.crashed ? fallback : children
  }
}
