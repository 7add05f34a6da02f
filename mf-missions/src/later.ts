/** What a press on a card, or the foot of the page, needs: loads once the missions are there. */
export { Prizes } from '@anniversary/shared/ui/Prizes'
export { ShareDialog } from './dialogs/ShareDialog.tsx'
export { StreakDialog } from './dialogs/StreakDialog.tsx'
