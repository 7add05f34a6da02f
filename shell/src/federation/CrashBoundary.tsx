import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Crash } from '../layout/Crash.tsx'

interface CrashBoundaryProps {
  readonly children: ReactNode
  readonly onCrash: (error: unknown, info: ErrorInfo) => void
}

/** Replaces what crashed while rendering by the specification's crash text (section 8). */
export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    this.props.onCrash(error, info)
  }

  override render() {
    return this.state.crashed ? <Crash /> : this.props.children
  }
}
