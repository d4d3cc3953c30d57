/// The loop that a monitor runs on, under a name that no other library's loop has.
public typealias MonitorLoop = EventLoop
