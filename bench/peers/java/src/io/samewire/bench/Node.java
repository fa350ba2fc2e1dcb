package io.samewire.bench;

import java.util.List;

/** A recursive record. */
public record Node(String name, String color, List<Node> children) {}
